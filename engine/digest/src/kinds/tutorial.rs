//! Tutorials: what one will have learned, and the key step of each part.

use super::kind::{Kind, sign};
use super::manual;
use super::shape::Shape;

pub(super) static KIND: Kind = Kind { name: "tutorial", evidence, compose: manual::compose };

const NAMES: &str = "tutorial; getting started; build a; building a; build your; learn; introduction to; a beginner's guide; your first; walkthrough; lesson; how to; howto; \
    einführung; lernen; einstieg; débuter; introduction à; apprendre; introducción; aprende; introduzione; impara; introdução; aprenda; leren; wprowadzenie; учимся; введение; 教程; 入门; チュートリアル; 入門; 튜토리얼";

fn evidence(shape: &Shape) -> f32 {
    0.9 * sign(shape.is_titled(NAMES))
        + 0.4 * sign(shape.begins(NAMES))
        + 0.8 * sign(shape.codes > 2)
        + 0.4 * sign(shape.codes > 6)
        + 0.5 * sign(shape.numbered > 2)
        + 1.5 * (shape.second_person + shape.first_person).min(0.4)
        - 0.8 * sign(shape.members > 5)
        - 0.5 * sign(shape.codes == 0 && shape.ordered < 4)
}
