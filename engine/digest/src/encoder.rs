//! What is known of embedding models. Cosines of one model mean nothing on another's scale.

/// How close the best sentence must be to a question that a page of a hundred sentences answers, for each model by its `general.name`.
/// What closeness is, and what longer pages need, stands in retrieve.rs.
const ANSWERED_COSINES: &[(&str, f32)] = &[
    // Measured on 217 questions to ten chapters of manuals: 5 % of those that the chapter answers are refused; passages are offered for 2 %
    // of those about other manuals and for 0.2 % of those about articles. On the project's own short pages 11 %, 0 % and 5 %.
    ("all-MiniLM-L6-v2", 0.51),
];

/// For a model that was not calibrated. Most sentence encoders place unrelated texts higher than MiniLM does.
const ANSWERED_COSINE_DEFAULT: f32 = 0.54;

/// How close the best sentence must be to a question that the page answers, for the model of this name.
#[must_use]
pub fn answered_cosine(model: &str) -> f32 {
    let known = ANSWERED_COSINES.iter().find(|(name, _)| *name == model);
    known.map_or(ANSWERED_COSINE_DEFAULT, |(_, cosine)| *cosine)
}
