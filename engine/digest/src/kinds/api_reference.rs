//! References of programming interfaces: what it is for, then the members that the page itself speaks of most.

use super::kind::{Kind, Signs, sign};
use super::shape::Shape;
use crate::compose::Composer;
use crate::labels::is_member;

pub(super) static KIND: Kind = Kind {
    name: "api-reference",
    wants: "what it is for, its most important functions and what each does, what must be given, and its limits",
    evidence,
    compose,
};

const NAMES: &str = "api; reference; class ; module; interface; struct; enum; package; library; method; function; endpoint; sdk; ::; referenz; référence; referencia; riferimento; referência; справочник";
const PARTS: &str = "parameters; return value; returns; raises; exceptions; methods; properties; constructor; request body; response; example request; query parameters; attributes; \
    implementations; parameter; rückgabewert; paramètres; parámetros; parametri; parâmetros; параметры; 参数; 引数";

/// Words of the sentence that says what it is for.
const ABOUT_WORDS_MIN: usize = 5;

fn evidence(shape: &Shape, signs: &mut Signs) {
    let parts = PARTS
        .split(';')
        .map(str::trim)
        .filter(|name| shape.headings_text.lines().any(|line| line == *name))
        .count();
    signs.add(0.08, "at first", true);
    signs.add(1.3, "title", shape.is_titled(NAMES));
    signs.add(0.80, "member in the title", is_member(&shape.title_cased) && shape.codes > 0);
    signs.add(1.2, "members", shape.members > 3);
    signs.add(
        1.0,
        "share of members",
        Shape::share(shape.members, shape.headings).min(1.0) * sign(shape.members > 1),
    );
    signs.add(1.1, "terms that are members", shape.member_items > 2);
    signs.add(0.58, "parts", parts.min(4) as f32);
    signs.add(2.0, "types of fields", shape.fields > 2);
    signs.add(0.39, "code", shape.codes > 2);
    signs.add(-1.6, "first person", shape.first_person.min(0.3));
    signs.add(-0.60, "versions", shape.versions > 2);
    signs.add(-0.80, "several people", shape.people > 2);
    signs.add(-1.00, "reports", shape.reporting > 0.1);
}

fn compose(composer: &mut Composer<'_>) {
    // The first sentence says what it is for, and seldom names it.
    let is_told = |at: &usize| {
        let one = &composer.digest.sentences()[*at];
        one.words >= ABOUT_WORDS_MIN && !is_member(&one.text)
    };
    let first = composer.sentences(&composer.all()).into_iter().find(is_told);
    match first {
        Some(first) => composer.about_sentence(first),
        None => composer.about(),
    };
    let mut glossed = composer.glossed(&is_member);
    if glossed.len() < 2 {
        glossed = composer.glossed(&|text: &str| text.split_whitespace().count() <= 3);
    }
    let lines = composer.room().saturating_sub(2).max(1);
    composer.gloss_lines(&glossed, lines, 3);
    composer.spread(composer.room());
    composer.fill(composer.room());
}
