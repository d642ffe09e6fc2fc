//! News: what happened, told from the most important down.

use super::kind::{Kind, sign};
use super::prose;
use super::shape::Shape;

pub(super) static KIND: Kind = Kind { name: "news", evidence, compose: prose::compose };

fn evidence(shape: &Shape) -> f32 {
    let typed = shape.is_typed(&["newsarticle", "reportagenews", "liveblog"]);
    1.8 * sign(typed)
        + 0.4 * sign(shape.is_typed(&["article"]))
        + 6.0 * shape.reporting.min(0.25)
        + sign(shape.quoting > 0.12) * 0.3
        + 0.3 * sign(shape.words > 120 && shape.words < 1_800)
        + 0.3 * sign(shape.headings <= 6)
        + 0.6 * shape.numbers.min(0.5)
        - 4.0 * shape.first_person.min(0.2)
        - 3.0 * shape.second_person.min(0.3)
        - 0.8 * sign(shape.codes > 1)
        - 0.5 * sign(shape.terms > 5)
        - 0.6 * sign(shape.has.references)
}
