//! What happens when a context is full.

/// What a sequence does when its context is full.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Overflow {
    /// It ends.
    #[default]
    Stop,
    /// It forgets the middle and goes on: see [`Overflow::remaining`].
    Slide {
        /// Tokens at its beginning that are never forgotten.
        keep_tokens: usize,
    },
}

impl Overflow {
    /// What is left of the `ids` of a full context of `context_tokens`: the first `keep_tokens`, but at most half of the
    /// context, and the later half of the rest, rounded down. It has to be run anew, because the keys of the cache
    /// carry the positions at which they were computed. `None`: the sequence ends, by choice or because nothing could
    /// be forgotten.
    pub fn remaining(self, ids: &[u32], context_tokens: usize) -> Option<Vec<u32>> {
        let Overflow::Slide { keep_tokens } = self else { return None };
        let keep = keep_tokens.min(context_tokens / 2).min(ids.len());
        let (first, rest) = ids.split_at(keep);
        let last = &rest[rest.len() - rest.len() / 2..];
        let fits = !last.is_empty() && keep + last.len() < context_tokens;
        fits.then(|| [first, last].concat())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn the_beginning_and_the_later_half_of_the_rest_stay() {
        let ids: Vec<u32> = (0..16).collect();
        let slide = |keep_tokens| Overflow::Slide { keep_tokens };
        let rows: &[(Overflow, usize, usize, Option<Vec<u32>>)] = &[
            (Overflow::Stop, 16, 16, None),
            (slide(0), 16, 16, Some((8..16).collect())),
            (slide(1), 16, 16, Some([0].into_iter().chain(9..16).collect())),
            (slide(4), 16, 16, Some((0..4).chain(10..16).collect())),
            // One more than fits: the token that was chosen last has no place yet.
            (slide(4), 16, 15, Some((0..4).chain(10..16).collect())),
            // The most that is kept is half of the context.
            (slide(100), 16, 16, Some((0..8).chain(12..16).collect())),
            (slide(0), 2, 2, Some(vec![1])),
            // Too little to forget.
            (slide(1), 2, 1, None),
            (slide(0), 1, 1, None),
            (slide(0), 0, 1, None),
        ];
        for (overflow, len, context_tokens, want) in rows {
            let got = overflow.remaining(&ids[..*len], *context_tokens);
            assert_eq!(got, *want, "{overflow:?}, {len} ids in {context_tokens}");
        }
    }
}
