//! Reviews: the verdict, what is good and bad, what it costs.

use super::kind::{Kind, sign};
use super::shape::Shape;
use crate::compose::Composer;
use crate::headings::{CONS, PROS, VERDICT};

pub(super) static KIND: Kind = Kind { name: "review", evidence, compose };

const NAMES: &str = "review; hands-on; tested; test; im test; testbericht; critique; avis; reseña; crítica; análisis; recensione; prova; resenha; recensie; getest; recenzja; обзор; рецензия; \
    مراجعة; レビュー; 리뷰; 评测; 书评; 影评; समीक्षा";
const PRICES: &str = "price; costs; $; €; £; euro; euros; dollars; preis; kostet; prix; coûte; precio; cuesta; prezzo; costa; preço; custa; prijs; cena; цена; 价格; 価格; 円; 元";

const FACTS: &str = "$; €; £; ¥; ₹; zł; out of 5; out of 10; / 10; /10; / 5; /5; stars; sterne; étoiles; estrellas; stelle; rating; score; wertung; nota; puntuación; note; voto; ocena; оценка; 評価; 评分; 점";

fn evidence(shape: &Shape) -> f32 {
    let titled = super::forms::has_any_word(&shape.title, NAMES);
    1.4 * sign(shape.is_typed(&["review"]))
        + 1.3 * sign(titled)
        + 1.6 * sign(shape.has.pros && shape.has.cons)
        + 0.7 * sign(shape.has.verdict)
        + 0.5
            * sign(shape.begins(
                "out of 5; out of 10; /10; /5; rating; verdict; stars; sterne; puntuación; nota; estrellas",
            ))
        + 1.0 * shape.first_person.min(0.3)
        - 0.6 * sign(shape.codes > 0)
        - 0.7 * sign(shape.questions > 4)
}

fn compose(composer: &mut Composer<'_>) {
    let verdict = composer.section(VERDICT).and_then(|section| {
        let sentences = composer.sentences(&section.whole);
        composer.best(&sentences).or_else(|| composer.first(&section.whole))
    });
    let facts = composer.facts(&composer.all(), FACTS, 2);
    composer.title_line(&facts);
    match verdict {
        Some(at) => composer.say(at),
        None => composer.lead(),
    };
    for names in [PROS, CONS] {
        if let Some(section) = composer.section(names) {
            let items = composer.items(&section.body);
            let each = (24 / items.len().clamp(1, 4)).max(6);
            match composer.list(Some(section.heading), &items, each, "; ") {
                Some(draft) => composer.add(draft),
                None => composer.section_line(section),
            };
        }
    }
    let lines = composer.lines.len();
    if let Some(at) = composer
        .cued(&composer.all(), PRICES)
        .into_iter()
        .find(|&at| composer.digest.sentences()[at].text.chars().any(char::is_numeric))
    {
        composer.say(at);
    }
    let sentences = composer.sentences(&composer.all());
    if let Some(last) = sentences.last().copied().filter(|_| verdict.is_none()) {
        composer.say(last);
    }
    composer.fill(composer.room());
    composer.in_page_order(lines);
}
