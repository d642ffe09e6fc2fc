//! What a kind of page is.

use super::shape::Shape;
use crate::compose::Composer;

/// A kind of page.
pub(crate) struct Kind {
    /// Its name in the protocol.
    pub(crate) name: &'static str,
    /// What a language model that writes about such a page is to look for.
    pub(crate) wants: &'static str,
    /// Adds what speaks for it and against it: about 1 for a weak sign, 2 for a strong one.
    pub(crate) evidence: fn(&Shape, &mut Signs),
    /// The lines that its reader wants. The best sentences fill the rest.
    pub(crate) compose: fn(&mut Composer<'_>),
}

/// What speaks for one kind, and against it.
#[derive(Debug, Default)]
pub(crate) struct Signs {
    /// The sum of all.
    pub(super) sum: f32,
    /// What each sign that is there adds, in the order in which they were looked at.
    pub(super) all: Vec<(&'static str, f32)>,
}

impl Signs {
    /// A sign that is there or not, or a share from 0 to 1, and what it adds where it is 1.
    pub(super) fn add(&mut self, weight: f32, name: &'static str, amount: impl Into<f32>) {
        let worth = weight * amount.into();
        if worth != 0.0 {
            self.sum += worth;
            self.all.push((name, worth));
        }
    }
}

/// 1 for a sign that is there.
pub(super) fn sign(has: bool) -> f32 {
    f32::from(u8::from(has))
}
