//! What a kind of page is.

use super::shape::Shape;
use crate::compose::Composer;

/// A kind of page.
pub(crate) struct Kind {
    /// Its name in the protocol.
    pub(crate) name: &'static str,
    /// What speaks for it: about 1 for a weak sign, 2 for a strong one. 0 and below: it is not one.
    pub(crate) evidence: fn(&Shape) -> f32,
    /// The lines that its reader wants. The best sentences fill the rest.
    pub(crate) compose: fn(&mut Composer<'_>),
}

/// 1 for a sign that is there.
pub(super) fn sign(has: bool) -> f32 {
    f32::from(u8::from(has))
}
