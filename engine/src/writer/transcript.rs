//! What a writer has written, token by token, so that another one can go on with it: on another device, or after a restart.

use std::hash::{DefaultHasher, Hash, Hasher};

/// The generations of a text, in order. Whoever makes the same requests with it gets their tokens from here, as far as they are here.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Transcript {
    generations: Vec<Recorded>,
    /// The next one.
    at: usize,
}

/// A generation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recorded {
    /// A hash of the prompt's ids. For another prompt nothing is taken from here.
    pub prompt: u32,
    /// The ids that were chosen, the one that ends the text included.
    pub ids: Vec<u32>,
}

impl Transcript {
    /// Goes on with these.
    #[must_use]
    pub fn new(generations: Vec<Recorded>) -> Self {
        Self { generations, at: 0 }
    }

    /// All generations so far.
    #[must_use]
    pub fn generations(&self) -> &[Recorded] {
        &self.generations
    }

    /// The requests are made again from the first one.
    pub fn restart(&mut self) {
        self.at = 0;
    }

    /// Begins the next generation. Gives its place and what it has of it; where it is another one, that and all behind it are dropped.
    pub(super) fn begin(&mut self, prompt: &[u32]) -> (usize, Vec<u32>) {
        let mut hasher = DefaultHasher::new();
        prompt.hash(&mut hasher);
        let prompt = hasher.finish() as u32;
        let known = self.generations.get(self.at).is_some_and(|known| known.prompt == prompt);
        if !known {
            self.generations.truncate(self.at);
            self.generations.push(Recorded { prompt, ids: Vec::new() });
        }
        self.at += 1;
        (self.at - 1, self.generations[self.at - 1].ids.clone())
    }

    /// Adds a token to the generation at that place.
    pub(super) fn push(&mut self, place: usize, id: u32) {
        // What was recorded behind those that were begun followed another text.
        self.generations.truncate(self.at);
        if let Some(generation) = self.generations.get_mut(place) {
            generation.ids.push(id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Recorded, Transcript};

    #[test]
    fn other_prompts_get_nothing() {
        let mut transcript = Transcript::default();
        // Two side by side.
        assert_eq!(transcript.begin(&[1]), (0, vec![]));
        assert_eq!(transcript.begin(&[2]), (1, vec![]));
        [(0, 5), (1, 7), (0, 6)].into_iter().for_each(|(place, id)| transcript.push(place, id));
        let mut again = Transcript::new(transcript.generations().to_vec());
        assert_eq!(again.begin(&[1]), (0, vec![5, 6]));
        assert_eq!(again.begin(&[3]), (1, vec![]));
        again.push(1, 8);
        let ids: Vec<&[u32]> = again.generations().iter().map(|Recorded { ids, .. }| &ids[..]).collect();
        assert_eq!(ids, [&[5, 6][..], &[8]]);
        again.restart();
        assert_eq!(again.begin(&[1]), (0, vec![5, 6]));
    }
}
