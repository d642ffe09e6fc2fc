//! References of programming interfaces: what it is for, then the members that the page itself speaks of most.

use super::kind::{Kind, sign};
use super::shape::Shape;
use crate::compose::Composer;

pub(super) static KIND: Kind = Kind { name: "api-reference", evidence, compose };

const NAMES: &str = "api; reference; class ; module; interface; struct; enum; package; library; method; function; endpoint; sdk; ::; referenz; référence; referencia; riferimento; referência; справочник";
const PARTS: &str = "parameters; return value; returns; raises; exceptions; methods; properties; constructor; request body; response; example request; query parameters; attributes; \
    implementations; parameter; rückgabewert; paramètres; parámetros; parametri; parâmetros; параметры; 参数; 引数";

fn evidence(shape: &Shape) -> f32 {
    let parts = PARTS
        .split(';')
        .map(str::trim)
        .filter(|name| shape.headings_text.lines().any(|line| line == *name))
        .count();
    0.7 * sign(shape.is_titled(NAMES))
        + 1.2 * sign(shape.members > 3)
        + 1.0 * Shape::share(shape.members, shape.headings).min(1.0) * sign(shape.members > 1)
        + 0.4 * parts.min(4) as f32
        + 0.4 * sign(shape.codes > 2)
        - 1.5 * shape.first_person.min(0.3)
        - 0.6 * sign(shape.versions > 2)
        - 0.8 * sign(shape.people > 2)
}

fn compose(composer: &mut Composer<'_>) {
    composer.lead();
    let is_member = |text: &str| crate::labels::is_member(text);
    let mut glossed = composer.glossed(&is_member);
    if glossed.len() < 2 {
        glossed = composer.glossed(&|text: &str| text.split_whitespace().count() <= 3);
    }
    let lines = composer.room().saturating_sub(2).max(1);
    composer.gloss_lines(&glossed, lines, 2);
    composer.spread(composer.room());
    composer.fill(composer.room());
}
