//! The short test that decides what a model may write.
//!
//! It is made of sentences and questions of the project's own, and judged by the rules that its lines will be judged by. The model
//! writes without [`Evidence`](super::Evidence) holding it back, so that the test sees what it would do.

use crate::prompt::PromptContext;

/// What a model may do, the least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// Nothing.
    None,
    /// Answers to questions.
    Chat,
    /// Answers, and key sentences made shorter.
    Shorten,
    /// Answers and summaries.
    Write,
}

/// Of [`GATE_LINES`], the first ones are to be made shorter.
pub const GATE_LINES_MAX: usize = 8;
/// Lines that must be changed and right for [`Tier::Write`], and lines that may be wrong.
const WRITE_REWORDED_MIN: usize = 6;
const WRITE_FLAWED_MAX: usize = 1;
/// Lines that must be shortened for [`Tier::Shorten`].
const SHORTEN_MIN: usize = 2;
/// Questions that must be answered for [`Tier::Chat`].
const CHAT_ANSWERED_MIN: usize = 2;

/// Sentences of a page.
pub const GATE_LINES: [&str; 12] = [
    "The swimming hall, which was opened in 1974 and enlarged twice, will be closed for repairs from March to October.",
    "According to the council, the new tram line may carry up to 9,000 passengers a day if the second bridge is finished in time.",
    "Ilse Maron, who had worked as a ship's carpenter for twenty years, did not want the boat to be painted.",
    "The recipe needs 300 grams of rye flour, a pinch of salt and warm water, and the dough must rest overnight.",
    "In the autumn of 1931, after a long dispute about its cost, the lighthouse was moved 40 metres inland.",
    "Because the sensor is sensitive to dust, the cover should be closed whenever the device is not in use.",
    "Members pay 12 euros a year, which includes the newsletter, and may bring one guest to every concert.",
    "The researchers counted 214 nests on the island, almost twice as many as in the year before.",
    "Furthermore, the archive holds letters of the composer Jonas Feld, most of which have never been printed.",
    "The update removes the old export format, so files that were saved before version 2.4 must be converted first.",
    "Although the storm had torn down part of the roof, nobody was hurt, and the market opened again two days later.",
    "Visitors who arrive by train should take the footpath along the canal, because the road has no pavement.",
];

/// A question about a passage, and what a right answer has.
#[derive(Debug, Clone, Copy)]
pub struct GateQuestion {
    /// Asked of [`GATE_LINES`] as the page.
    pub question: &'static str,
    /// One of these stands in a right answer.
    pub answers: &'static [&'static str],
}

/// Questions about [`GATE_LINES`].
pub const GATE_QUESTIONS: [GateQuestion; 4] = [
    GateQuestion { question: "How many nests were counted?", answers: &["214"] },
    GateQuestion { question: "How much do members pay a year?", answers: &["12"] },
    GateQuestion { question: "When was the lighthouse moved?", answers: &["1931"] },
    GateQuestion { question: "Who wrote the letters in the archive?", answers: &["Jonas Feld", "Feld"] },
];

/// What the test's prompts share.
#[must_use]
pub fn gate_context() -> PromptContext {
    PromptContext::fixed("Notes", "en", "testofawriter")
}

/// What a model did in the test.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GateCounts {
    /// Questions that it was asked.
    pub questions: usize,
    /// Questions that it answered.
    pub answered: usize,
    /// Lines that it was given.
    pub lines: usize,
    /// Lines that it changed, keeping the words and their order.
    pub shortened: usize,
    /// Lines that it changed, and that may stand if other words and another order are allowed. Those of `shortened` are among them.
    pub reworded: usize,
    /// Lines that may not stand in any case.
    pub flawed: usize,
    /// Lines with a number or a name that the source does not have.
    pub invented: usize,
}

impl GateCounts {
    /// What the model may do, once no further task can change it. A line that was copied says nothing about it.
    #[must_use]
    pub fn decided(&self) -> Option<Tier> {
        let questions_left = GATE_QUESTIONS.len() - self.questions;
        let lines_left = GATE_LINES_MAX - self.lines;
        if self.answered + questions_left < CHAT_ANSWERED_MIN {
            return Some(Tier::None);
        }
        let may_write = self.answered + questions_left == GATE_QUESTIONS.len()
            && self.invented == 0
            && self.flawed <= WRITE_FLAWED_MAX;
        if questions_left > 0 {
            return None;
        }
        if may_write && self.reworded >= WRITE_REWORDED_MIN {
            Some(Tier::Write)
        } else if may_write && self.reworded + lines_left >= WRITE_REWORDED_MIN {
            None
        } else if self.shortened >= SHORTEN_MIN {
            Some(Tier::Shorten)
        } else if self.shortened + lines_left >= SHORTEN_MIN {
            None
        } else {
            Some(Tier::Chat)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tier_needs_its_figures() {
        let asked = GateCounts { questions: 4, answered: 4, ..GateCounts::default() };
        let all = GateCounts { lines: 8, shortened: 3, reworded: 7, flawed: 1, ..asked };
        for (counts, tier) in [
            (all, Some(Tier::Write)),
            (GateCounts { lines: 6, shortened: 3, reworded: 6, ..asked }, Some(Tier::Write)),
            (GateCounts { lines: 5, shortened: 3, reworded: 5, ..asked }, None),
            (GateCounts { invented: 1, ..all }, Some(Tier::Shorten)),
            (GateCounts { flawed: 2, reworded: 6, ..all }, Some(Tier::Shorten)),
            (GateCounts { answered: 3, ..all }, Some(Tier::Shorten)),
            (GateCounts { reworded: 5, shortened: 1, ..all }, Some(Tier::Chat)),
            (GateCounts { answered: 1, ..all }, Some(Tier::None)),
            (GateCounts { questions: 3, answered: 0, ..GateCounts::default() }, Some(Tier::None)),
            (GateCounts { questions: 3, answered: 3, ..GateCounts::default() }, None),
            (GateCounts { lines: 3, flawed: 2, ..asked }, None),
            (GateCounts { lines: 7, shortened: 0, flawed: 7, ..asked }, Some(Tier::Chat)),
            (GateCounts::default(), None),
        ] {
            assert_eq!(counts.decided(), tier, "{counts:?}");
        }
    }
}
