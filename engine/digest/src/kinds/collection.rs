//! Collections of short pieces without an order: there is nothing to sum up. What it is and how much of it there is.

use super::kind::{Kind, sign};
use super::shape::Shape;
use crate::compose::{Composer, Draft};
use crate::page::BlockKind;

pub(super) static KIND: Kind = Kind { name: "collection", evidence, compose };

const NAMES: &str = "quotes; quotations; sayings; proverbs; jokes; tips; glossary; aphorisms; fortunes; zitate; sprüche; tipps; glossar; witze; citations; proverbes; astuces; glossaire; citas; frases; refranes; consejos; glosario; \
    citazioni; proverbi; glossario; citações; provérbios; dicas; citaten; woordenlijst; cytaty; słownik; цитаты; советы; словарь; اقتباسات; 名言; 语录; 用語集; 名言集; 명언";

fn evidence(shape: &Shape) -> f32 {
    let pieces = shape.paragraphs + shape.items;
    if pieces < 20 {
        return 0.0;
    }
    1.3 * sign(super::forms::has_any_word(&shape.title, NAMES))
        + 0.8 * sign(shape.short > 0.85)
        + 0.4 * sign(pieces > 40)
        + 0.4 * sign(shape.headings < 5)
        - 1.0 * sign(shape.versions > 1)
        - 0.8 * sign(shape.codes > 1)
        - 0.6 * sign(shape.people > 2)
        - 0.6 * sign(shape.rows > 5)
        - 0.8 * sign(shape.has.ingredients || shape.has.materials)
        - 0.4 * sign(shape.members > 3 || shape.options > 2)
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
