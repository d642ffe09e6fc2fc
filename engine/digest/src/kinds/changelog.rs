//! Changelogs: the newest version with its date and what changed, then the ones before it.

use std::ops::Range;

use super::forms::has_any_word;
use super::kind::{Kind, Signs, sign};
use super::release_notes::BREAKS;
use super::shape::Shape;
use crate::clip::LINE_WORDS_MAX;
use crate::compose::{Composer, Draft};
use crate::labels::is_version;
use crate::order::sorted;
use crate::page::BlockKind;
use crate::words::head;

pub(super) static KIND: Kind = Kind {
    name: "changelog",
    wants: "the newest version with its date and its most important changes, and what earlier main versions brought",
    evidence,
    compose,
};

const NAMES: &str = "changelog; change log; changes; release history; version history; revision history; history; versionshinweise; änderungen; änderungsprotokoll; versionsgeschichte; \
    journal des modifications; historique; registro de cambios; historial; registro delle modifiche; cronologia; histórico; wijzigingen; lista zmian; история версий; \
    список изменений; سجل التغييرات; 更新日志; 更新日誌; 変更履歴; 更新履歴; 변경 내역; 변경 이력";
const ENTRIES_MAX: usize = 300;
/// Releases among which those that changed the most are looked for.
const ENTRIES_RANKED: usize = 24;

fn evidence(shape: &Shape, signs: &mut Signs) {
    let titled = shape.is_titled(NAMES);
    signs.add(-0.00, "at first", true);
    signs.add(1.3, "title", titled);
    signs.add(1.0, "title and years", titled && shape.years > 4);
    signs.add(1.7, "versions", shape.versions > 2);
    signs.add(0.82, "many versions", shape.versions > 5);
    signs.add(
        1.3,
        "share of versions",
        Shape::share(shape.versions, shape.headings).min(1.0) * sign(shape.versions > 1),
    );
    signs.add(-0.80, "code", shape.codes > 6);
    signs.add(-1.0, "members", shape.members > shape.versions.max(3));
    signs.add(-1.4, "no versions", shape.versions == 0 && shape.years < 5);
    signs.add(-0.80, "several people", shape.people > 2);
    signs.add(-1.0, "reports", shape.reporting > 0.1);
}

/// A version's label and what is under it.
struct Entry {
    label: usize,
    range: Range<usize>,
    /// The version, where it stands beside its entries.
    name: Option<String>,
}

fn compose(composer: &mut Composer<'_>) {
    let mut entries = entries(composer);
    if entries.len() < 2 {
        composer.about();
        return composer.fill(composer.room());
    }

    // Most begin with the newest.
    let mut known =
        entries.iter().map(|entry| numbers(composer.text(entry.label))).filter(|one| !one.is_empty());
    let first = known.next();
    let is_ascending = entries.iter().all(|entry| entry.name.is_none())
        && first.zip(known.next_back()).is_some_and(|(first, last)| first < last);
    if is_ascending {
        entries.reverse();
    }
    let items = |composer: &Composer<'_>, entry: &Entry| {
        let mut items = composer.items(&entry.range);
        // What concerns everyone comes first.
        let matters =
            |at: &usize| f32::from(u8::from(has_any_word(&composer.text(*at).to_lowercase(), BREAKS)));
        items = sorted(&items, matters);
        if items.is_empty() {
            items = composer.blocks(&entry.range, BlockKind::Paragraph);
        }
        let is_version = |at: Option<&usize>| at.is_some_and(|&at| is_version(head(composer.text(at), 24)));
        // Under a year the newest version stands last, too.
        if is_ascending && is_version(items.first()) && is_version(items.last()) {
            items.reverse();
        }
        items
    };
    let mut is_newest = true;
    for entry in worth_a_line(composer, &entries) {
        if composer.room() == 0 {
            break;
        }
        let blocks = items(composer, entry);
        if blocks.is_empty() {
            continue;
        }
        let is_newest = std::mem::take(&mut is_newest);
        // Under a year each item is a version of its own.
        if is_version(head(composer.text(blocks[0]), 24)) {
            for &block in &blocks {
                let mut draft = Draft::default();
                composer.put(&mut draft, "", block, LINE_WORDS_MAX);
                composer.add(draft);
            }
            continue;
        }
        if let (Some(name), Some(mut draft)) =
            (&entry.name, composer.list(None, &blocks[..blocks.len().min(3)], 10, "; "))
        {
            if let Some(piece) = draft.pieces.first_mut() {
                piece.before = format!("{name}: ");
            }
            composer.add(draft);
            continue;
        }
        // The newest gets two lines where it has much.
        let lines = if is_newest && blocks.len() > 3 { 2 } else { 1 };
        composer.join(Some(entry.label), &blocks[..blocks.len().min(lines * 3)], lines, "; ");
    }
    composer.fill(composer.room());
}

/// The newest release, then those that changed the most: a new first number, else a new second one, else any.
fn worth_a_line<'e>(composer: &Composer<'_>, entries: &'e [Entry]) -> Vec<&'e Entry> {
    let is_open = |entry: &&Entry| numbers(composer.text(entry.label)).is_empty() && entry.name.is_none();
    let is_year = |entry: &Entry| is_year(composer.text(entry.label));
    let released: Vec<&Entry> = entries.iter().filter(|entry| !is_open(entry)).take(ENTRIES_RANKED).collect();
    let Some((newest, rest)) = released.split_first() else { return entries.iter().collect() };
    if is_year(newest) || newest.name.is_some() {
        return released;
    }
    let weight = |entry: &&Entry| match numbers(composer.text(entry.label))[..] {
        [_, 0, 0] | [_, 0] | [_] => 2.0,
        [_, _, 0] | [_, _] => 1.0,
        _ => 0.0,
    };
    let mut lines = vec![*newest];
    lines.extend(sorted(rest, weight));
    lines
}

/// Headings, or short blocks, that are a version; up to the next one.
fn entries(composer: &Composer<'_>) -> Vec<Entry> {
    let parts = &composer.digest.outline.parts;
    let is_label = |block: &usize| {
        let part = &parts[*block];
        let short = part.kind == BlockKind::Heading || part.words <= 8;
        let text = composer.text(*block);
        short
            && part.kind != BlockKind::Code
            && (is_version(text) || (part.kind == BlockKind::Heading && is_year(text)))
    };
    let headings: Vec<usize> =
        (0..parts.len()).filter(|at| parts[*at].kind == BlockKind::Heading).filter(is_label).collect();
    let labels: Vec<usize> =
        if headings.len() > 1 { headings } else { (0..parts.len()).filter(is_label).collect() };
    if labels.len() < 2 {
        return beside(composer);
    }
    let ends = labels.iter().skip(1).copied().chain([parts.len()]).collect::<Vec<_>>();
    let entry = |(label, end): (usize, usize)| Entry { label, range: label + 1..end, name: None };
    labels.into_iter().zip(ends).take(ENTRIES_MAX).map(entry).collect()
}

/// Versions that stand beside their entries, where names of speakers would: the first entry leads the others.
fn beside(composer: &Composer<'_>) -> Vec<Entry> {
    let speakers = &composer.digest.speakers;
    let mut entries: Vec<Entry> = Vec::new();
    let mut last = None;
    for block in composer.all() {
        let speaker = speakers.of(block).filter(|_| speakers.name(block).is_some_and(is_version));
        match (speaker, entries.last_mut()) {
            (None, _) => {}
            (Some(speaker), Some(entry)) if last == Some(speaker) => entry.range.end = block + 1,
            (Some(speaker), _) => {
                last = Some(speaker);
                let name = speakers.name(block).map(str::to_owned);
                entries.push(Entry { label: block, range: block..block + 1, name });
            }
        }
    }
    entries.truncate(ENTRIES_MAX);
    entries
}

/// A heading that is a year.
fn is_year(text: &str) -> bool {
    let text = text.trim();
    text.len() == 4
        && (text.starts_with("19") || text.starts_with("20"))
        && text.chars().all(|c| c.is_ascii_digit())
}

/// The numbers of a label, to compare versions.
fn numbers(label: &str) -> Vec<u32> {
    label.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).take(3).collect()
}
