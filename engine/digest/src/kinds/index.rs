//! Pages that lead elsewhere or hold several articles: what they are, and what is in them.

use super::kind::{Kind, Signs};
use super::shape::Shape;
use crate::clip::LINE_WORDS_MAX;
use crate::compose::{Composer, Draft};
use crate::headings::CONTENTS;
use crate::page::BlockKind;

pub(super) static KIND: Kind = Kind {
    name: "index",
    wants: "what the page is, how much is in it, and its most important articles or parts",
    evidence,
    compose,
};

const NAMES: &str = "table of contents; contents; index; newsletter; digest; weekly; this week; issue; roundup; archive; inhaltsverzeichnis; inhalt; übersicht; ausgabe; sommaire; hebdo; índice; boletín; \
    sommario; indice; overzicht; spis treści; содержание; дайджест; الفهرس; 目录; 目次; 周刊; 통신; 목차; \
    rundbrief; mitteilungen; lettre d'information; infolettre; notiziario; nieuwsbrief; biuletyn; рассылка; выпуск; 通讯; 通信; メルマガ; 소식지; front page; startseite; home page; sitemap";

fn evidence(shape: &Shape, signs: &mut Signs) {
    let thin = shape.headings > 4 && shape.section_words < 40;
    let articles = shape.headings > 5
        && shape.heading_words > 4
        && (8..140).contains(&shape.section_words)
        && shape.questions < 3
        && shape.numbered < 3;
    signs.add(0.20, "at first", true);
    signs.add(1.2, "title", shape.is_titled(NAMES));
    signs.add(1.0, "contents", shape.has.contents && shape.words < 1_500);
    signs.add(0.66, "thin sections", thin);
    signs.add(1.0, "items", shape.items > 11 && shape.paragraphs * 2 < shape.items);
    signs.add(0.61, "items of few words", shape.items > 11 && shape.item_words < 7 && shape.terms < 4);
    signs.add(0.37, "short blocks", shape.short > 0.85);
    // Several articles: headings that are sentences, each over a paragraph or two.
    signs.add(1.0, "several articles", articles);
    signs.add(-0.81, "code", shape.codes > 1);
    signs.add(-0.81, "versions", shape.versions > 2 || shape.years > 4);
    signs.add(
        -0.80,
        "materials or ingredients",
        shape.has.ingredients || shape.has.materials || shape.has.pros,
    );
    signs.add(-0.80, "members", shape.members > 3 || shape.member_items > 3);
    signs.add(-0.80, "rows", shape.rows > 7);
    signs.add(-0.81, "several people", shape.people > 2);
    signs.add(-0.83, "questions", shape.questions > 2);
    signs.add(-0.40, "explained terms", shape.terms > 5);
    signs.add(-0.32, "clauses", shape.clauses > 3);
    signs.add(-0.61, "data of one thing", shape.has.specs || shape.pairs > 3);
    signs.add(-0.80, "parts of a study", shape.study > 2 || shape.has.references);
    signs.add(-0.60, "fees", shape.priced_rows + shape.prices > 3);
    signs.add(1.2, "number of an issue", super::looks::is_issue(&shape.title) && shape.headings > 2);
    signs.add(-1.1, "instructions", shape.commands.min(0.5));
}

fn compose(composer: &mut Composer<'_>) {
    composer.about();
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
        let title = composer.title_block().filter(|at| !entries.contains(at) && !composer.has_said(*at));
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
