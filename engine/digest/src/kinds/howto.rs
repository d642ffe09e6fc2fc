//! How-tos: the goal, what one needs, the steps.

use super::kind::{Kind, sign};
use super::recipe;
use super::shape::Shape;
use crate::compose::Composer;
use crate::headings::{MATERIALS, METHOD};

pub(super) static KIND: Kind = Kind { name: "howto", evidence, compose };

const NAMES: &str = "how to; how do; diy; wie ; so ; anleitung; comment ; cómo ; como ; come ; hoe ; jak ; как ; كيف; कैसे; 怎么; 如何; 方法; やり方; 仕方; 하는 방법; 하는 법";

const FACTS: &str = "time; minutes; hours; cost; difficulty; level; total; zeit; dauer; minuten; stunden; kosten; durée; heures; coût; tiempo; horas; coste; minutos; tempo; ore; minuti; costo; custo; tijd; uur; kosten; \
    czas; minut; koszt; время; стоимость; 时间; 分钟; 费用; 時間; 費用; 시간; 비용";

fn evidence(shape: &Shape) -> f32 {
    let steps = shape.numbered.max(shape.ordered);
    1.0 * sign(
        NAMES.split(';').any(|name| shape.title.starts_with(name.trim_start()))
            || shape.is_titled("how to; 方法; 怎么; 如何"),
    ) + 1.2 * sign(shape.is_typed(&["howto"]) && steps > 1)
        + 1.0 * sign(shape.has.materials)
        + 0.5 * sign(shape.has.method)
        + 0.6 * sign(steps > 2)
        + 0.5 * sign(shape.numbered > 2)
        + 1.0 * shape.second_person.min(0.3)
        - 0.8 * sign(shape.codes > 3)
        - 2.0 * sign(shape.has.ingredients)
        - 0.8 * sign(shape.versions > 2)
        - 0.6 * sign(shape.questions > 4)
        - 0.6 * sign(shape.has.references)
        - 3.0 * (shape.binding - 0.15).max(0.0)
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
