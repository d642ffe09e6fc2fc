//! Reviews: the verdict, what is good and bad, what it costs.

use super::kind::{Kind, Signs};
use super::shape::Shape;
use crate::compose::Composer;
use crate::headings::{CONS, PROS, VERDICT};

pub(super) static KIND: Kind = Kind {
    name: "review",
    wants: "what was reviewed, the verdict with its rating, what is good, what is bad, and the price",
    evidence,
    compose,
};

const NAMES: &str = "review; hands-on; tested; test; im test; testbericht; critique; avis; reseña; crítica; análisis; recensione; prova; resenha; recensie; getest; recenzja; обзор; рецензия; \
    مراجعة; レビュー; 리뷰; 评测; 书评; 影评; समीक्षा; \
    getestet; praxistest; opinión; valutazione; análise; beoordeling; отзыв; inceleme; 試用; 使ってみた; 测评; 体验; 후기; 사용기";
const PRICES: &str = "price; costs; $; €; £; euro; euros; dollars; preis; kostet; prix; coûte; precio; cuesta; prezzo; costa; preço; custa; prijs; cena; цена; 价格; 価格; 円; 元";

const FACTS: &str = "$; €; £; ¥; ₹; zł; out of 5; out of 10; / 10; /10; / 5; /5; stars; sterne; étoiles; estrellas; stelle; rating; score; wertung; nota; puntuación; note; voto; ocena; оценка; 評価; 评分; 점";

fn evidence(shape: &Shape, signs: &mut Signs) {
    signs.add(-0.01, "at first", true);
    signs.add(
        1.4,
        "type of schema.org",
        shape.is_typed(&["review"]) && !shape.is_typed(&["product", "softwareapplication"]),
    );
    signs.add(1.5, "title", shape.is_titled(NAMES));
    signs.add(1.6, "pros and cons", shape.has.pros && shape.has.cons);
    signs.add(0.65, "verdict", shape.has.verdict);
    signs.add(0.82, "rating", shape.rated);
    signs.add(0.99, "first person", shape.first_person.min(0.3));
    signs.add(-0.61, "code", shape.codes > 0);
    signs.add(-0.72, "questions", shape.questions > 4);
    signs.add(-0.80, "several people", shape.people > 2);
    signs.add(-1.0, "references", shape.has.references);
    signs.add(4.0, "judges", shape.judging.min(0.3));
    signs.add(-0.80, "abstract", shape.has.r#abstract);
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
