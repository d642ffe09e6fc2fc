//! Text of no particular kind, and what the kinds of prose share.

use super::kind::Kind;
use crate::compose::Composer;

/// On longer pages the lines come from all main parts.
const WORDS_LONG: usize = 2_000;

pub(super) static KIND: Kind = Kind {
    name: "prose",
    wants: "what it is about, what it says about that, its numbers and its conclusion",
    evidence: |_, _| (),
    compose,
};

/// The line that leads, then the best sentences in page order.
pub(super) fn compose(composer: &mut Composer<'_>) {
    let leads = usize::from(composer.about_unless_scene());
    if composer.digest.coverage().words > WORDS_LONG {
        let count = composer.room().div_ceil(2);
        composer.spread(count);
    }
    composer.fill(composer.room());
    composer.in_page_order(leads);
}
