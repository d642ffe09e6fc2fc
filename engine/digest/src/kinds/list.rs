//! Lists: what is listed, how many, from when to when, the entries that stand out.

use super::kind::{Kind, sign};
use super::shape::Shape;
use crate::compose::{Composer, Draft};
use crate::labels::is_numbered;
use crate::page::BlockKind;

pub(super) static KIND: Kind = Kind { name: "list", evidence, compose };

const NAMES: &str = "list of; best; top; ranking; ranked; liste; die besten; bestenliste; meilleurs; classement; lista; mejores; migliori; classifica; melhores; beste; lijst; najlepsze; ranking; лучших; список; \
    أفضل; 榜; 排行; 一览; 一覧; ランキング; おすすめ; 選; 목록; 베스트";

fn evidence(shape: &Shape) -> f32 {
    let counted = shape.title.chars().take(6).any(|c| c.is_ascii_digit());
    let listed = shape.rows > 11 || shape.numbered > 4 || shape.headings > 5;
    1.1 * sign(super::forms::has_any_word(&shape.title, NAMES) && listed)
        + 0.7 * sign(counted && listed)
        + 0.8 * sign(shape.numbered > 4)
        + 0.9 * sign(shape.rows > 14)
        + 0.8 * sign(shape.is_typed(&["itemlist"]))
        - 0.8 * sign(shape.codes > 2)
        - 0.8 * sign(shape.has.materials || shape.has.ingredients || shape.has.method)
        - 0.7 * sign(shape.questions > 3)
        - 0.8 * sign(shape.versions > 2 || shape.years > 4)
        - 1.5 * shape.binding.min(0.3)
}

fn compose(composer: &mut Composer<'_>) {
    composer.lead();
    let rows = composer.blocks(&composer.all(), BlockKind::Table);
    let top = composer.top_level();
    let headings: Vec<usize> = composer
        .sections()
        .iter()
        .filter(|section| section.level == top)
        .map(|section| section.heading)
        .collect();
    let numbered: Vec<usize> = composer
        .sections()
        .iter()
        .map(|section| section.heading)
        .filter(|&at| is_numbered(composer.text(at)))
        .collect();
    let entries = match () {
        () if rows.len() > 9 => rows,
        () if numbered.len() > 3 => numbered,
        () if headings.len() > 3 => headings,
        () => composer.items(&composer.all()),
    };
    count_line(composer, &entries);
    let lines = composer.room().saturating_sub(1).clamp(1, 2);
    let names: Vec<usize> = entries.iter().copied().take(lines * 5).collect();
    composer.join(None, &names, lines, "; ");
    composer.fill(composer.room());
}

/// "title (12): first ... last".
fn count_line(composer: &mut Composer<'_>, entries: &[usize]) {
    let (Some(&first), Some(&last)) = (entries.first(), entries.last()) else { return };
    let mut draft = Draft::default();
    if let Some(title) = composer.title_block() {
        composer.put_label(&mut draft, title);
    }
    let before = if draft.is_empty() { String::new() } else { format!(" ({}): ", entries.len()) };
    composer.put(&mut draft, &before, first, 8);
    if last != first {
        composer.put(&mut draft, " … ", last, 8);
    }
    composer.add(draft);
}
