//! Collections of short pieces without an order: there is nothing to sum up. What it is and how much of it there is.

use super::kind::{Kind, Signs};
use super::shape::Shape;
use crate::compose::{Composer, Draft};
use crate::page::BlockKind;

pub(super) static KIND: Kind = Kind {
    name: "collection",
    wants: "what is collected, how much of it, how it is ordered, and for whom",
    evidence,
    compose,
};

pub(super) const NAMES: &str = "quotes; quotations; sayings; proverbs; jokes; tips; glossary; aphorisms; fortunes; zitate; sprüche; tipps; glossar; witze; citations; proverbes; astuces; glossaire; citas; frases; refranes; consejos; glosario; \
    citazioni; proverbi; glossario; citações; provérbios; dicas; citaten; woordenlijst; cytaty; słownik; цитаты; советы; словарь; اقتباسات; 名言; 语录; 用語集; 名言集; 명언; \
    aphorismen; proverbi; ditados; przysłowia; пословицы; atasözleri; أمثال; 谚语; 名句; ことわざ; 속담; lexique; vocabulary; riddles; rätsel; maxims; 词汇表; 용어집; 小建议";

fn evidence(shape: &Shape, signs: &mut Signs) {
    let pieces = shape.paragraphs + shape.items;
    if pieces < 12 {
        return;
    }
    signs.add(-0.14, "at first", true);
    signs.add(2.1, "title", shape.is_titled(NAMES));
    signs.add(0.74, "short pieces", shape.short > 0.85);
    signs.add(0.39, "many pieces", pieces > 40);
    signs.add(0.52, "few headings", shape.headings < 5 || shape.terms * 3 > shape.headings * 2);
    signs.add(
        0.84,
        "explained terms",
        shape.terms > 7 && shape.options < 2 && shape.members < 3 && shape.questions < 3,
    );
    signs.add(0.51, "items that are sentences", shape.items > 15 && shape.item_words > 3 && shape.terms == 0);
    signs.add(-1.0, "versions", shape.versions > 1);
    signs.add(-0.80, "code", shape.codes > 1);
    signs.add(-1.0, "several people", shape.people > 2);
    signs.add(-0.60, "rows", shape.rows > 5);
    signs.add(-0.80, "materials or ingredients", shape.has.ingredients || shape.has.materials);
    signs.add(-0.60, "members or options", shape.members + shape.member_items > 3 || shape.options > 2);
    signs.add(-0.80, "long pieces", shape.words > 40 * pieces);
    signs.add(-1.0, "clauses", shape.clauses > 2);
    signs.add(-0.60, "prices", shape.prices > 3);
}

fn compose(composer: &mut Composer<'_>) {
    let parts = &composer.digest.outline.parts;
    let is_piece = |block: &usize| {
        matches!(parts[*block].kind, BlockKind::ListItem | BlockKind::Paragraph | BlockKind::Quote)
    };
    let pieces: Vec<usize> = composer.all().filter(is_piece).collect();
    let headings: Vec<usize> = composer
        .sections()
        .iter()
        .filter(|one| one.level > 1 && one.level < 7)
        .map(|one| one.heading)
        .collect();
    let mut draft = Draft::default();
    if let Some(title) = composer.title_block() {
        composer.put_label(&mut draft, title);
        draft.after = format!(" ({})", pieces.len());
    }
    composer.add(draft);
    if let Some(lead) = composer.find_lead(&(0..composer.all().end.min(6))) {
        composer.say(lead);
    }
    if headings.len() > 1 {
        composer.join(None, &headings, 1, "; ");
    }
}
