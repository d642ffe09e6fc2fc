//! What is known of embedding models. Cosines of one model mean nothing on another's scale.

/// The least mean of the cosines of a sentence and of its block to a question that the page answers, for each model by its
/// `general.name`.
const ANSWERED_COSINES: &[(&str, f32)] = &[
    // Measured on 283 questions of two published manuals: 3 % of those that a chapter answers are refused, and passages are offered for
    // 1.5 % of those about the other manual. The best cosine of a sentence alone, at 0.48, came to 6 % and 2 %.
    ("all-MiniLM-L6-v2", 0.51),
];

/// For a model that was not calibrated. Most sentence encoders place unrelated texts higher than MiniLM does.
const ANSWERED_COSINE_DEFAULT: f32 = 0.45;

/// The least mean of the cosines of a sentence and of its block to a question that the page answers, for the model of this name.
#[must_use]
pub fn answered_cosine(model: &str) -> f32 {
    let known = ANSWERED_COSINES.iter().find(|(name, _)| *name == model);
    known.map_or(ANSWERED_COSINE_DEFAULT, |(_, cosine)| *cosine)
}
