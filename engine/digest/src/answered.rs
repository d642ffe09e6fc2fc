//! How sure it is that a sentence answers a question: a logistic regression on a few signs.

use super::passages::ANSWERED_MIN;

/// What is known of a sentence and a question.
#[derive(Debug, Clone, Copy)]
pub(super) struct Signs {
    /// How much closer its vector and that of its block are to the question than a page of this length needs, as a cosine. `None` without
    /// embeddings.
    pub(super) closeness: Option<f32>,
    /// The share of the question's words that it has, by their rarity.
    pub(super) covered: f32,
    /// How common on the page the commonest of them is, 0 to 1.
    pub(super) topical: f32,
    /// The share of the question's words that the page does not have at all.
    pub(super) unknown: f32,
    /// Whether the question has a name that the page does not have.
    pub(super) foreign: bool,
    /// Whether it has an answer of the kind that is asked for; `None` where any may be meant.
    pub(super) kind: Option<bool>,
    /// Whether an answer of that kind always shows it.
    pub(super) strict: bool,
    /// How far its closeness stands out of that of the page's other sentences, as a z-score.
    pub(super) standout: f32,
    /// How much longer the page is than one of a hundred sentences, as a logarithm.
    pub(super) growth: f32,
}

/// Weights of a constant and of the signs in their order: closeness, covered, topical, unknown, a foreign name, a kind of answer that is there,
/// one that is missing, one that is missing and strict, standout. They are those of a logistic regression on questions to 24 pages of
/// e2e/pages/summaries and to the 32 pages of engine/tests/quality, rounded; the constant was chosen so that few questions are refused
/// wrongly.
const WEIGHTS: [f32; 10] = [-0.5, 7.1, 1.7, 0.0, -0.6, -1.5, 0.6, -0.7, -2.4, 0.3];
/// The same without embeddings, where the page's length stands in for closeness.
const WEIGHTS_OF_WORDS: [f32; 10] = [-0.85, -0.7, 3.1, 0.85, -1.6, -1.9, 0.15, -0.95, -4.5, 0.0];

impl Signs {
    /// As [`super::Hit::score`].
    pub(super) fn confidence(&self) -> f32 {
        if self.closeness.is_none() && self.covered == 0.0 && self.topical == 0.0 {
            return 0.0;
        }
        let flag = |is: bool| f32::from(u8::from(is));
        let values = [
            1.0,
            self.closeness.unwrap_or(self.growth),
            self.covered,
            self.topical,
            self.unknown,
            flag(self.foreign),
            flag(self.kind == Some(true)),
            flag(self.kind == Some(false) && !self.strict),
            flag(self.kind == Some(false) && self.strict),
            self.standout,
        ];
        let weights = if self.closeness.is_some() { WEIGHTS } else { WEIGHTS_OF_WORDS };
        let sum: f32 = values.iter().zip(weights).map(|(value, weight)| value * weight).sum();
        let probability = 1.0 / (1.0 + (-sum).exp());
        match probability < 0.5 {
            true => ANSWERED_MIN * probability / 0.5,
            false => ANSWERED_MIN + (1.0 - ANSWERED_MIN) * (probability - 0.5) / 0.5,
        }
    }
}
