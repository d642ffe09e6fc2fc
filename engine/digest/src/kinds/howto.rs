//! How-tos: the goal, what one needs, the steps.

use super::kind::{Kind, Signs};
use super::recipe;
use super::shape::Shape;
use crate::compose::Composer;
use crate::headings::{MATERIALS, METHOD};

pub(super) static KIND: Kind = Kind {
    name: "howto",
    wants: "what is made or mended, how long it takes and what it costs, what is needed, the steps in short, and what to look out for",
    evidence,
    compose,
};

const NAMES: &str = "how to; how do; diy; wie ; so ; anleitung; comment ; cómo ; como ; come ; hoe ; jak ; как ; كيف; कैसे; 怎么; 如何; 方法; やり方; 仕方; 하는 방법; 하는 법; nasıl ; så ";

const FACTS: &str = "time; minutes; hours; cost; difficulty; level; total; zeit; dauer; minuten; stunden; kosten; durée; heures; coût; tiempo; horas; coste; minutos; tempo; ore; minuti; costo; custo; tijd; uur; kosten; \
    czas; minut; koszt; время; стоимость; 时间; 分钟; 费用; 時間; 費用; 시간; 비용";

fn evidence(shape: &Shape, signs: &mut Signs) {
    let steps = shape.numbered.max(shape.ordered);
    let asks =
        !shape.told_in_title && NAMES.split(';').any(|name| shape.title.starts_with(name.trim_start()));
    signs.add(-0.05, "at first", true);
    signs.add(
        1.9,
        "title",
        asks || shape.is_titled("how to; 方法; 怎么; 如何; step by step; schritt für schritt"),
    );
    signs.add(1.2, "type of schema.org", shape.is_typed(&["howto"]) && steps > 1);
    signs.add(0.91, "what one needs", shape.has.materials);
    signs.add(0.53, "method", shape.has.method);
    signs.add(0.56, "steps", steps > 2);
    signs.add(0.40, "numbered headings", shape.numbered > 2);
    signs.add(1.0, "addresses the reader", shape.second_person.min(0.3));
    signs.add(4.3, "instructions", shape.commands.min(0.4));
    signs.add(-0.82, "code", shape.codes > 3);
    signs.add(-2.0, "ingredients", shape.has.ingredients);
    signs.add(-0.80, "versions", shape.versions > 2);
    signs.add(-0.62, "questions", shape.questions > 4);
    signs.add(-0.61, "references", shape.has.references);
    signs.add(-0.83, "several people", shape.people > 1);
    signs.add(-1.1, "speaks as I", shape.singular.min(0.3));
    signs.add(-3.0, "binding words", (shape.binding - 0.2).max(0.0));
    signs.add(-0.62, "prices", shape.prices + shape.priced_rows > 2);
}

fn compose(composer: &mut Composer<'_>) {
    let facts = composer.facts(&composer.all(), FACTS, 2);
    composer.title_line(&facts);
    if let Some(section) = composer.section(MATERIALS) {
        let items = composer.items(&section.whole);
        match composer.list(Some(section.heading), &items, 7, ", ") {
            Some(draft) => composer.add(draft),
            None => composer.section_line(section),
        };
    }
    let steps = composer.steps(METHOD);
    let is_short = |&&at: &&usize| composer.digest.outline.parts[at].words <= 14;
    let short = steps.iter().filter(is_short).count() * 2 > steps.len();
    // Headings of steps say little, whole steps a lot.
    let lines = if short { 1 } else { composer.room().saturating_sub(1).max(1) };
    composer.join(None, &steps, lines, "; ");
    if composer.lines.len() < 3 {
        composer.lead();
    }
    recipe::note(composer);
    composer.fill(composer.room());
    composer.in_page_order(2);
}
