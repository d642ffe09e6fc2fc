//! Stories: who and where; what happens can't be told in sentences of theirs.

use super::kind::{Kind, sign};
use super::prose;
use super::shape::Shape;

pub(super) static KIND: Kind = Kind { name: "fiction", evidence, compose: prose::compose };

fn evidence(shape: &Shape) -> f32 {
    let plain = shape.headings <= 8
        && shape.items <= 10
        && shape.rows == 0
        && shape.codes == 0
        && shape.versions == 0;
    if !plain || shape.words < 300 {
        return 0.0;
    }
    1.0 + 2.5 * shape.quoting.min(0.4)
        + 0.5 * sign(shape.begins("chapter; a short story; short story; fiction; novel; kapitel; nouvelle; roman; cuento; racconto; conto; opowiadanie; рассказ; 小説; 小说; 短篇; 소설"))
        - 4.0 * shape.numbers.min(0.3)
        - 1.0 * (shape.reporting - 0.2).max(0.0)
        - 0.5 * sign(shape.is_typed(&["news"]))
        - 2.0 * shape.second_person.min(0.2)
}
