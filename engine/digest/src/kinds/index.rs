//! Pages that lead elsewhere or hold several articles: what they are, and what is in them.

use super::kind::{Kind, sign};
use super::shape::Shape;
use crate::clip::LINE_WORDS_MAX;
use crate::compose::{Composer, Draft};
use crate::headings::CONTENTS;
use crate::page::BlockKind;

pub(super) static KIND: Kind = Kind { name: "index", evidence, compose };

const NAMES: &str = "table of contents; contents; index; newsletter; digest; weekly; this week; issue; roundup; archive; inhaltsverzeichnis; inhalt; übersicht; ausgabe; sommaire; hebdo; índice; boletín; \
    sommario; indice; overzicht; spis treści; содержание; дайджест; الفهرس; 目录; 目次; 周刊; 통신; 목차";

fn evidence(shape: &Shape) -> f32 {
    let thin = shape.headings > 4 && shape.section_words < 40;
    0.9 * sign(super::forms::has_any_word(&shape.title, NAMES))
        + 0.7 * sign(shape.has.contents && shape.words < 1_500)
        + 0.7 * sign(thin)
        + 0.7 * sign(shape.items > 11 && shape.paragraphs * 2 < shape.items)
        + 0.4 * sign(shape.short > 0.85)
        // Several articles: headings that are sentences, each over a paragraph or two.
        + 1.3 * sign(shape.headings > 5 && shape.heading_words > 4 && (15..140).contains(&shape.section_words) && shape.questions < 3 && shape.numbered < 3)
        - 0.8 * sign(shape.codes > 1)
        - 0.8 * sign(shape.versions > 2 || shape.years > 4)
        - 0.8 * sign(shape.has.ingredients || shape.has.materials || shape.has.pros)
        - 0.8 * sign(shape.members > 3)
        - 0.8 * sign(shape.rows > 11)
        - 0.6 * sign(shape.people > 2)
        - 0.6 * sign(shape.questions > 2)
}

fn compose(composer: &mut Composer<'_>) {
    composer.lead();
    let top = composer.top_level();
    let sections: Vec<_> = composer.sections().iter().filter(|section| section.level == top).collect();
    let long = sections.iter().filter(|section| composer.sentences(&section.whole).len() > 1).count();
    // Several articles: a line each. Many short entries: their names.
    if long >= 2 && sections.len() <= composer.room() + 2 {
        for section in sections {
            article(composer, section);
        }
    } else {
        let headings: Vec<usize> = sections.iter().map(|section| section.heading).collect();
        let items = composer.items(&composer.all());
        let entries = if headings.len() >= 4 { headings } else { items };
        let title = composer.title_block().filter(|at| !entries.contains(at));
        let lines = composer.room().saturating_sub(1).clamp(1, 3);
        let shown = entries.len().min(lines * 6);
        composer.join(title, &entries[..shown], lines, "; ");
    }
    composer.fill(composer.room());
}

/// "heading: its first sentence".
fn article(composer: &mut Composer<'_>, section: &crate::outline::Section) {
    let sentences = composer.sentences(&section.whole);
    let mut draft = Draft::default();
    composer.put_label(&mut draft, section.heading);
    let first = sentences.first().copied().or_else(|| composer.first(&section.whole));
    if let Some(first) = first {
        let room = LINE_WORDS_MAX.saturating_sub(draft.words());
        composer.put_sentence(&mut draft, ": ", first, room.max(6));
    } else if let Some(&item) = composer.blocks(&section.whole, BlockKind::ListItem).first() {
        composer.put(&mut draft, ": ", item, 15);
    }
    if !crate::headings::is_called(composer.text(section.heading), CONTENTS) {
        composer.add(draft);
    }
}
