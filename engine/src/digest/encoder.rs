//! What is known of embedding models. Cosines of one model mean nothing on another's scale.

/// The least cosine of a page's best sentence to a question that the page answers, for each model by its `general.name`.
const ANSWERED_COSINES: &[(&str, f32)] = &[
    // Measured on questions about manuals: 7.7 % of those that the manual answers are refused, 1.8 % of those about another
    // manual are not.
    ("all-MiniLM-L6-v2", 0.48),
];

/// For a model that was not calibrated. Most sentence encoders are trained with similar objectives and place unrelated texts higher than
/// MiniLM does, so that this refuses a little less.
const ANSWERED_COSINE_DEFAULT: f32 = 0.5;

/// The least cosine of a page's best sentence to a question that the page answers, for the model of this name.
#[must_use]
pub fn answered_cosine(model: &str) -> f32 {
    let known = ANSWERED_COSINES.iter().find(|(name, _)| *name == model);
    known.map_or(ANSWERED_COSINE_DEFAULT, |(_, cosine)| *cosine)
}
