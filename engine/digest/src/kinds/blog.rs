//! Blog posts: somebody's own words.

use super::kind::{Kind, sign};
use super::prose;
use super::shape::Shape;
use crate::compose::Composer;

pub(super) static KIND: Kind = Kind { name: "blog", evidence, compose };

fn evidence(shape: &Shape) -> f32 {
    sign(shape.is_typed(&["blogposting"]))
        + 4.0 * shape.first_person.min(0.35)
        + 0.2 * sign(shape.headings > 1)
        + 0.5 * sign(shape.begins("blog; min read; posted by; minute read"))
        - 3.0 * shape.reporting.min(0.2)
        - 0.6 * sign(shape.rows > 8)
        - 0.6 * sign(shape.codes > 2)
        - 0.5 * sign(shape.has.references)
}

/// Where each point has a heading, the best sentence of each.
fn compose(composer: &mut Composer<'_>) {
    if composer.sections().len() < 4 {
        return prose::compose(composer);
    }
    composer.lead();
    let count = composer.room().saturating_sub(1);
    composer.spread(count);
    composer.fill(composer.room());
    composer.in_page_order(1);
}
