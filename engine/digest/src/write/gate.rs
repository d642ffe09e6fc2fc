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

/// Sentences to be made shorter.
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
    /// Lines that it changed by leaving out whole clauses.
    pub shortened: usize,
    /// Lines that it changed, and that may stand if other words are allowed. Those of `shortened` are among them.
    pub reworded: usize,
    /// Lines that may not stand in any case.
    pub flawed: usize,
    /// Lines with a number or a name that the source does not have.
    pub invented: usize,
    /// Questions that it answered.
    pub answered: usize,
}

impl GateCounts {
    /// What the model may do. A line that was copied says nothing about it.
    #[must_use]
    pub fn tier(&self) -> Tier {
        let all_answered = self.answered == GATE_QUESTIONS.len();
        if self.reworded * 3 >= GATE_LINES.len() * 2 && self.flawed <= 1 && self.invented == 0 && all_answered
        {
            Tier::Write
        } else if self.answered * 2 < GATE_QUESTIONS.len() {
            Tier::None
        } else if self.shortened * 6 >= GATE_LINES.len() {
            Tier::Shorten
        } else {
            Tier::Chat
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tier_needs_its_figures() {
        let best = GateCounts { shortened: 5, reworded: 11, flawed: 1, invented: 0, answered: 4 };
        assert_eq!(best.tier(), Tier::Write);
        assert_eq!(GateCounts { invented: 1, ..best }.tier(), Tier::Shorten);
        assert_eq!(GateCounts { flawed: 2, ..best }.tier(), Tier::Shorten);
        assert_eq!(GateCounts { answered: 3, ..best }.tier(), Tier::Shorten);
        assert_eq!(GateCounts { reworded: 7, shortened: 1, ..best }.tier(), Tier::Chat);
        assert_eq!(GateCounts { answered: 1, ..best }.tier(), Tier::None);
    }
}
