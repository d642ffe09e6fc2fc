//! Stories: who and where; what happens can't be told in sentences of theirs.

use super::kind::{Kind, Signs};
use super::prose;
use super::shape::Shape;

pub(super) static KIND: Kind = Kind {
    name: "fiction",
    wants: "that it is a story, who is in it, where it plays, and what happens",
    evidence,
    compose: prose::compose,
};

fn evidence(shape: &Shape, signs: &mut Signs) {
    let plain = shape.headings <= 8
        && shape.items <= 10
        && shape.rows == 0
        && shape.codes == 0
        && shape.versions == 0
        && shape.people < 2;
    if !plain || shape.words < 80 {
        return;
    }
    signs.add(-0.11, "at first", true);
    signs.add(0.34, "plain text", true);
    signs.add(0.31, "of some length", shape.words > 300);
    signs.add(1.4, "quotations", shape.quoting.min(0.4));
    signs.add(4.3, "speech", shape.speech.min(0.5));
    signs.add(0.70, "fiction", shape.begins("a short story; short story; fiction; novella; kurzgeschichte; erzählung von; une nouvelle; un cuento; un racconto; um conto; opowiadanie; повесть; 小説; 小说; 短篇; 소설; 단편"));
    signs.add(-1.7, "quotes", shape.is_titled(super::collection::NAMES));
    signs.add(-4.7, "numbers", shape.numbers.min(0.3));
    signs.add(-1.0, "reports", (shape.reporting - 0.3).max(0.0));
    signs.add(-0.80, "news", shape.is_typed(&["news"]));
    signs.add(-1.5, "addresses the reader", (shape.second_person - 0.15).max(0.0));
    signs.add(-0.80, "claims", shape.claims > 0.12);
    signs.add(-2.0, "binding words", shape.binding.min(0.3));
    signs.add(-1.0, "first person without speech", shape.first_person > 0.3 && shape.speech < 0.1);
}
