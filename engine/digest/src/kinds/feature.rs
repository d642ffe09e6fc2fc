//! Features: long reports that open with a scene. What they are about stands in the description, or after the scene.

use super::kind::{Kind, sign};
use super::prose;
use super::shape::Shape;

pub(super) static KIND: Kind = Kind { name: "feature", evidence, compose: prose::compose };

fn evidence(shape: &Shape) -> f32 {
    let long = shape.words > 900;
    let prose = shape.paragraphs > 10 && shape.items < 12 && shape.rows < 10 && shape.codes == 0;
    sign(long) * 0.7
        + sign(prose) * 0.4
        + 2.0 * shape.quoting.min(0.3)
        + 3.0 * shape.reporting.min(0.2)
        + 0.3 * sign(shape.is_typed(&["article"]))
        - 1.5 * shape.second_person.min(0.3)
        - 2.0 * (shape.first_person - 0.15).max(0.0)
        - 0.5 * sign(shape.headings > 9)
        - sign(shape.has.references)
        - 0.6 * sign(shape.numbers < 0.08)
}
