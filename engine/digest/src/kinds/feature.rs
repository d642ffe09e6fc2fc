//! Features: long reports that open with a scene. What they are about stands in the description, or after the scene.

use super::kind::{Kind, Signs};
use super::prose;
use super::shape::Shape;

pub(super) static KIND: Kind = Kind {
    name: "feature",
    wants: "what the story is about, who its people are, what turns out, with its numbers, and what is open",
    evidence,
    compose: prose::compose,
};

fn evidence(shape: &Shape, signs: &mut Signs) {
    let prose = shape.paragraphs > 5 && shape.items < 12 && shape.rows < 10 && shape.codes == 0;
    signs.add(0.21, "at first", true);
    signs.add(0.58, "long", shape.words > 900);
    signs.add(0.23, "of some length", shape.words > 350 && prose);
    signs.add(0.35, "plain text", prose);
    signs.add(0.43, "long paragraphs", prose && shape.paragraph_words > 35 && shape.headings < 6);
    signs.add(1.5, "interview", shape.is_titled("interview; a talk with; in conversation with; im gespräch; entrevista; intervista; entretien; wywiad; интервью; インタビュー; 访谈; 专访; 인터뷰"));
    signs.add(2.6, "quotations", shape.quoting.min(0.3));
    signs.add(4.7, "reports", shape.reporting.min(0.2));
    signs.add(0.21, "article", shape.is_article());
    signs.add(-1.7, "addresses the reader", shape.second_person.min(0.3));
    signs.add(-2.1, "first person", (shape.first_person - 0.15).max(0.0));
    signs.add(-0.54, "headings", shape.headings > 9);
    signs.add(-1.00, "references", shape.has.references || shape.has.see_also);
    signs.add(-0.00, "few numbers", shape.numbers < 0.08);
    signs.add(-0.86, "speech", shape.speech > 0.3);
    signs.add(-0.98, "days", shape.days.min(0.5));
    signs.add(-0.81, "several people", shape.people > 2);
    signs.add(-2.3, "binding words", shape.binding.min(0.3));
    signs.add(-0.60, "news", shape.is_typed(&["newsarticle"]));
}
