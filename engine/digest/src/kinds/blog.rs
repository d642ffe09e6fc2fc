//! Blog posts: somebody's own words.

use super::kind::{Kind, Signs};
use super::prose;
use super::shape::Shape;
use crate::compose::Composer;

pub(super) static KIND: Kind = Kind {
    name: "blog",
    wants: "what the author did or thinks, each main advice or finding with its numbers, and the conclusion",
    evidence,
    compose,
};

fn evidence(shape: &Shape, signs: &mut Signs) {
    let own = shape.first_person > 0.12;
    signs.add(-0.08, "at first", true);
    signs.add(1.3, "type of schema.org", shape.is_typed(&["blogposting"]) && own);
    signs.add(6.0, "speaks as I", shape.singular.min(0.4));
    signs.add(1.4, "speaks as we", shape.plural.min(0.3));
    signs.add(0.19, "headings", shape.headings > 1);
    signs.add(0.50, "blog", shape.begins("blog; min read; posted by; minute read") && own);
    signs.add(-3.0, "reports", shape.reporting.min(0.2));
    signs.add(-0.61, "rows", shape.rows > 8);
    signs.add(-0.81, "code", shape.codes > 2);
    signs.add(-0.60, "references", shape.has.references || shape.has.see_also);
    signs.add(-1.1, "several people", shape.people > 1);
    signs.add(-0.71, "speech", shape.speech > 0.25);
    signs.add(-3.0, "claims", (shape.claims - 0.08).clamp(0.0, 0.3));
    signs.add(-0.83, "questions", shape.questions > 3);
    signs.add(-2.0, "binding words", shape.binding.min(0.3));
    signs.add(-1.00, "ingredients or materials", shape.has.ingredients || shape.has.materials);
    signs.add(-0.80, "verdict or cons", shape.has.verdict || shape.has.cons);
    signs.add(-0.60, "versions or what is new", shape.versions > 1 || shape.has.highlights > 1);
    signs.add(-0.63, "data of one thing", shape.has.specs);
    signs.add(-0.99, "times beside posts", shape.stamps > 2);
}

/// Where each point has a heading, the best sentence of each.
fn compose(composer: &mut Composer<'_>) {
    if composer.sections().len() < 4 {
        return prose::compose(composer);
    }
    composer.about();
    let count = composer.room().saturating_sub(1);
    composer.spread(count);
    composer.fill(composer.room());
    composer.in_page_order(1);
}
