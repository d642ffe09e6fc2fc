//! Recipes: what it is, for how many and how long, what goes in, what is done.

use super::kind::{Kind, sign};
use super::shape::Shape;
use crate::compose::Composer;
use crate::headings::{INGREDIENTS, METHOD, NOTES};

pub(super) static KIND: Kind = Kind { name: "recipe", evidence, compose };

const FACTS: &str = "serves; servings; makes; yield; prep; prep time; cook; cook time; cooking; total; total time; minutes; min; hours; hour; portionen; personen; zubereitungszeit; \
    stunden; minuten; portions; personnes; préparation; cuisson; heures; raciones; porciones; personas; horas; minutos; porzioni; persone; minuti; ore; porções; personen; \
    porcji; минут; порций; دقيقة; मिनट; 人分; 分; 인분; 分钟; 人份";

fn evidence(shape: &Shape) -> f32 {
    let formed = shape.has.ingredients || (shape.has.method && shape.items > 4);
    let titled = shape.is_titled("recipe; rezept; recette; receta; ricetta; receita; recept; przepis; рецепт; وصفة; रेसिपी; レシピ; 레시피; 食谱; 菜谱");
    2.2 * sign(shape.has.ingredients)
        + 0.6 * sign(shape.has.ingredients && shape.has.method)
        + 1.4 * sign(shape.is_typed(&["recipe"]) && (formed || shape.items > 5))
        + 0.8 * sign(titled)
        + 0.5 * sign(formed && shape.begins(FACTS))
}

fn compose(composer: &mut Composer<'_>) {
    let facts = composer.facts(&composer.all(), FACTS, 3);
    if !composer.title_line(&facts) {
        composer.lead();
    }
    if let Some(section) = composer.section(INGREDIENTS) {
        let mut items = composer.items(&section.whole);
        if items.is_empty() {
            items = composer.blocks(&section.whole, crate::page::BlockKind::Table);
        }
        if let Some(draft) = composer.list(Some(section.heading), &items, 7, "; ") {
            composer.add(draft);
        }
    }
    let steps = composer.steps(METHOD);
    let lines = composer.room().saturating_sub(1).max(1);
    composer.join(None, &steps, lines, "; ");
    note(composer);
    composer.fill(composer.room());
}

/// How it is kept, or what may go wrong.
pub(super) fn note(composer: &mut Composer<'_>) {
    for section in composer.sections_called(NOTES).collect::<Vec<_>>() {
        let sentences = composer.sentences(&section.whole);
        let best = composer.best(&sentences).or_else(|| composer.first(&section.whole));
        if best.is_some_and(|at| composer.say(at)) {
            return;
        }
    }
}
