//! A question and its answers, as on sites where answers are voted on.

use super::kind::{Kind, Signs};
use super::shape::Shape;
use super::thread::{self, has_answers};
use crate::labels::is_question;

pub(super) static KIND: Kind = Kind {
    name: "qa",
    wants: "the question, the cause, the best answer with what to do, and other answers",
    evidence,
    compose: thread::compose,
};

fn evidence(shape: &Shape, signs: &mut Signs) {
    let asked = shape.is_kicked("asked; accepted answer; best answer; gefragt; preguntado; 最佳答案; ベストアンサー; mejor respuesta; meilleure réponse");
    signs.add(0.05, "at first", true);
    signs.add(
        2.2,
        "type of schema.org",
        shape.is_typed(&["qapage"]) && (shape.people > 0 || has_answers(shape)),
    );
    signs.add(2.6, "answers", has_answers(shape));
    signs.add(0.76, "the title asks", is_question(&shape.title_cased));
    signs.add(0.81, "asked", asked);
    signs.add(1.5, "accepted answer", shape.accepted);
    signs.add(0.46, "several people", shape.people > 1);
    signs.add(0.20, "code", shape.codes > 0);
    signs.add(-1.2, "questions", shape.questions > 3);
    signs.add(-0.60, "reports", shape.reporting > 0.15 && shape.people < 2);
    signs.add(-0.45, "nobody speaks", shape.people == 0 && !has_answers(shape) && !asked && !shape.accepted);
}
