//! News: what happened, told from the most important down.

use super::kind::{Kind, Signs};
use super::prose;
use super::shape::Shape;

pub(super) static KIND: Kind = Kind {
    name: "news",
    wants: "what happened, to whom, where and when, how much, what it leads to, and what comes next",
    evidence,
    compose: prose::compose,
};

fn evidence(shape: &Shape, signs: &mut Signs) {
    let typed = shape.is_typed(&["newsarticle", "reportagenews", "liveblog"]);
    let told = typed || shape.reporting > 0.0;
    signs.add(0.10, "at first", true);
    signs.add(1.5, "type of schema.org", typed);
    signs.add(0.23, "article", shape.is_article());
    signs.add(8.3, "reports", shape.reporting.min(0.25));
    signs.add(3.1, "days", shape.days.min(0.4));
    signs.add(0.29, "quotations", shape.quoting > 0.12);
    signs.add(0.37, "length of news", told && shape.words > 60 && shape.words < 1_800);
    signs.add(0.28, "few headings", told && shape.headings <= 6);
    signs.add(0.94, "numbers", shape.numbers.min(0.5));
    signs.add(-3.7, "first person", shape.first_person.min(0.2));
    signs.add(-4.2, "addresses the reader", shape.second_person.min(0.3));
    signs.add(-0.81, "code", shape.codes > 1);
    signs.add(-0.50, "terms", shape.terms > 5);
    signs.add(-0.82, "references", shape.has.references || shape.has.see_also);
    signs.add(-2.2, "binding words", shape.binding.min(0.3));
    signs.add(-0.61, "speech", shape.speech > 0.3);
    signs.add(-0.81, "several people", shape.people > 2);
    signs.add(-0.60, "versions or members", shape.versions > 1 || shape.members > 2);
    signs.add(-0.81, "study", shape.has.r#abstract);
    signs.add(-0.61, "data of one thing", shape.has.specs);
    signs.add(-1.4, "instructions", shape.commands.min(0.3));
}
