//! Lines about pages, labeled by hand, against what [`Digest::attribute`] says of them. With `--nocapture` it prints the wrong ones and the
//! threshold that each of ten folds would choose.

use std::path::Path;

use crate::digesting;
use pith_engine::digest::{Attribution, Block, BlockKind, Digest, Flaw, Limits, Page, SUPPORTED_MIN};

/// What the lines come to, and may not fall below.
const PRECISION_MIN: f64 = 0.95;
const RECALL_MIN: f64 = 0.8;
const FOLDS: usize = 10;

struct Labeled {
    text: String,
    supported: bool,
    found: Attribution,
}

fn digest(id: &str) -> Digest {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/quality/{id}.json"));
    let doc: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let kind = |name: &str| match name {
        "heading" => BlockKind::Heading,
        "listItem" => BlockKind::ListItem,
        "quote" => BlockKind::Quote,
        "code" => BlockKind::Code,
        "table" => BlockKind::Table,
        "caption" => BlockKind::Caption,
        _ => BlockKind::Paragraph,
    };
    let blocks = doc["blocks"].as_array().unwrap().iter();
    let blocks = blocks
        .map(|block| Block::new(kind(block["kind"].as_str().unwrap()), block["text"].as_str().unwrap()));
    let page = Page {
        title: doc["title"].as_str().unwrap().into(),
        language: Some("en".into()),
        blocks: blocks.collect(),
        ..Page::default()
    };
    digesting::digest(&page, &Limits::default()).unwrap()
}

fn labeled() -> Vec<Labeled> {
    let text = include_str!("../quality/lines/attribution.txt");
    let mut lines = Vec::new();
    let mut page = None;
    for line in text.lines() {
        let (mark, text) = line.split_at(2);
        if mark == "# " {
            page = Some(digest(text));
            continue;
        }
        let found = pollster::block_on(page.as_ref().unwrap().attribute(text, None, &async || true)).unwrap();
        lines.push(Labeled { text: text.into(), supported: mark == "+ ", found });
    }
    lines
}

/// Precision and recall where lines of at least this score are taken, unless something else speaks against them.
fn measure<'a>(lines: impl Iterator<Item = &'a Labeled>, score_min: f32) -> (f64, f64) {
    let (mut kept, mut right, mut supported) = (0.0, 0.0, 0.0);
    for Labeled { supported: is, found, .. } in lines {
        let keeps = matches!(found.flaw, None | Some(Flaw::TooFar)) && found.score >= score_min;
        kept += f64::from(u8::from(keeps));
        right += f64::from(u8::from(keeps && *is));
        supported += f64::from(u8::from(*is));
    }
    (if kept > 0.0 { right / kept } else { 1.0 }, right / supported)
}

/// The least threshold with the wanted precision; else the most precise one.
fn choose<'a>(lines: impl Iterator<Item = &'a Labeled> + Clone) -> f32 {
    let all = (40..=100).map(|percent| percent as f32 / 100.0);
    let good = all.clone().find(|&at| measure(lines.clone(), at).0 >= 0.95);
    good.unwrap_or_else(|| {
        all.max_by(|a, b| measure(lines.clone(), *a).0.total_cmp(&measure(lines.clone(), *b).0)).unwrap()
    })
}

#[test]
fn lines_are_judged_as_people_judge_them() {
    let lines = labeled();
    assert!(lines.len() >= 200);
    for line in lines.iter().filter(|line| line.found.is_supported() != line.supported) {
        let Attribution { score, flaw, .. } = &line.found;
        println!("{} {score:.2} {flaw:?}: {}", if line.supported { "lost" } else { "WRONG" }, line.text);
    }
    let (mut kept, mut right, mut supported) = (0, 0, 0);
    for fold in 0..FOLDS {
        let of = |at: usize| at % FOLDS == fold;
        let train = lines.iter().enumerate().filter(|(at, _)| !of(*at)).map(|(_, line)| line);
        let score_min = choose(train);
        for line in lines.iter().enumerate().filter(|(at, _)| of(*at)).map(|(_, line)| line) {
            let keeps = matches!(line.found.flaw, None | Some(Flaw::TooFar)) && line.found.score >= score_min;
            kept += usize::from(keeps);
            right += usize::from(keeps && line.supported);
            supported += usize::from(line.supported);
        }
        println!("fold {fold}: {score_min}");
    }
    println!(
        "ten folds: precision {:.3}, recall {:.3}",
        right as f64 / kept as f64,
        right as f64 / supported as f64
    );
    for percent in [50, 60, 70, 75, 80, 85, 90, 95, 100] {
        let (precision, recall) = measure(lines.iter(), percent as f32 / 100.0);
        println!("{percent}: precision {precision:.3}, recall {recall:.3}");
    }
    let (precision, recall) = measure(lines.iter(), SUPPORTED_MIN);
    println!(
        "{} lines, threshold {SUPPORTED_MIN}: precision {precision:.3}, recall {recall:.3}",
        lines.len()
    );
    assert!(
        precision >= PRECISION_MIN && recall >= RECALL_MIN,
        "precision {precision:.3}, recall {recall:.3}"
    );
}
