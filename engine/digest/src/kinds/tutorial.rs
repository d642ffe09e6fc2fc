//! Tutorials: what one will have learned, and the key step of each part.

use super::kind::{Kind, Signs};
use super::manual;
use super::shape::Shape;

pub(super) static KIND: Kind = Kind {
    name: "tutorial",
    wants: "what the reader learns or builds, what is needed, the key steps, and the result",
    evidence,
    compose: manual::compose,
};

const NAMES: &str = "tutorial; getting started; build a; building a; build your; learn; introduction to; a beginner's guide; your first; walkthrough; lesson; how to; howto; \
    einführung; lernen; einstieg; débuter; introduction à; apprendre; introducción; aprende; introduzione; impara; introdução; aprenda; leren; wprowadzenie; учимся; введение; 教程; 入门; 课程; 教学; チュートリアル; 入門; 講座; レッスン; 튜토리얼; 강좌; 배우기; kurs; lektion; cours; leçon; curso; lección; lição; aula; corso; lezione; cursus; lekcja; урок; учебник; ders; course";

fn evidence(shape: &Shape, signs: &mut Signs) {
    signs.add(-0.09, "at first", true);
    signs.add(0.84, "title", shape.is_titled(NAMES));
    signs.add(0.45, "beginning", shape.opens(NAMES));
    signs.add(0.66, "code", shape.codes > 2);
    signs.add(0.40, "much code", shape.codes > 6);
    signs.add(0.46, "numbered headings", shape.numbered > 2);
    signs.add(0.76, "exercises", shape.heads("exercise; exercises; your turn; what you need to know; next steps; practice; übung; übungen; exercice; exercices; ejercicio; ejercicios; esercizi; exercícios; pratique; oefening; ćwiczenia; упражнения; 练习; 小练习; 練習; 연습"));
    signs.add(1.1, "speaks to the reader", (shape.second_person + shape.first_person).min(0.4));
    signs.add(1.0, "instructions", shape.commands.min(0.3));
    signs.add(-0.80, "members", shape.members > 5);
    signs.add(-0.58, "neither code nor steps", shape.codes == 0 && shape.ordered < 4);
    signs.add(-0.82, "several people", shape.people > 1);
    signs.add(-0.70, "ingredients", shape.has.ingredients);
    signs.add(-0.80, "questions", shape.questions > 3);
    signs.add(-1.9, "reports", shape.reporting.min(0.3));
    signs.add(-0.80, "versions", shape.versions > 2);
}
