//! Recipes: what it is, for how many and how long, what goes in, what is done.

use super::kind::{Kind, Signs};
use super::shape::Shape;
use crate::compose::Composer;
use crate::headings::{INGREDIENTS, METHOD, NOTES};

pub(super) static KIND: Kind = Kind {
    name: "recipe",
    wants: "the dish, for how many and how long it takes, the main ingredients, the steps in short, and how it is kept",
    evidence,
    compose,
};

const FACTS: &str = "serves; servings; makes; yield; prep; prep time; cook; cook time; cooking; total; total time; minutes; min; hours; hour; portionen; personen; zubereitungszeit; \
    stunden; minuten; portions; personnes; préparation; cuisson; heures; raciones; porciones; personas; horas; minutos; porzioni; persone; minuti; ore; porções; personen; \
    porcji; минут; порций; دقيقة; मिनट; 人分; 分; 인분; 分钟; 人份";

const TITLES: &str = "recipe; rezept; recette; receta; ricetta; receita; recept; przepis; рецепт; وصفة; طريقة عمل; रेसिपी; レシピ; 레시피; 食谱; 菜谱; 的做法; の作り方";

fn evidence(shape: &Shape, signs: &mut Signs) {
    let formed = shape.has.ingredients || (shape.has.method && shape.items > 4);
    let short_items = shape.items > 3 && shape.item_words < 8;
    signs.add(0.01, "at first", true);
    signs.add(2.5, "ingredients", shape.has.ingredients);
    signs.add(0.61, "ingredients and method", shape.has.ingredients && shape.has.method);
    signs.add(1.4, "type of schema.org", shape.is_typed(&["recipe"]) && (formed || short_items));
    signs.add(0.80, "title", shape.is_titled(TITLES));
    signs.add(0.51, "times or servings", formed && shape.begins(FACTS));
    signs.add(1.3, "measures", short_items && shape.measures > 2);
    signs.add(
        0.81,
        "share of measures",
        Shape::share(shape.measures, shape.items + shape.paragraphs).min(0.6),
    );
    signs.add(1.3, "instructions", shape.commands.min(0.4));
    signs.add(-0.78, "tools", shape.has.materials);
    signs.add(-0.61, "code", shape.codes > 0);
    signs.add(1.2, "amounts", shape.amounts > 4 && shape.commands > 0.1);
    signs.add(-0.78, "several people", shape.people > 2);
}

fn compose(composer: &mut Composer<'_>) {
    let facts = composer.facts(&composer.all(), FACTS, 3);
    if !composer.title_line(&facts) {
        composer.lead();
    }
    if let Some(section) = composer.section(INGREDIENTS) {
        let mut items = composer.items(&section.whole);
        if items.is_empty() {
            items = composer.rows(&section.whole);
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
