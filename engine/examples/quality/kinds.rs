//! How often the kind of a page is right, and how sure it is where it is right.
//!
//! DIR/labels.txt: pages that are kept elsewhere, "NAME KIND [ALSO...]"; DIR/*.pages: pages in full (tests/quality/README.md has their form).

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use pith_engine::digest::{Digest, DigestError, Limits, Page};
use serde::Deserialize;

use crate::docs::{self, Anyhow};
use crate::floors;
use crate::written;

/// A page whose kind is known.
pub struct Labelled {
    pub name: String,
    pub kind: String,
    /// Other kinds that are right as well.
    pub also: Vec<String>,
    pub page: Page,
}

/// Which pages are looked at. Recognition is written while looking at one half; the other one says what that is worth.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Half {
    Known,
    Unseen,
}

impl std::str::FromStr for Half {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "known" => Ok(Self::Known),
            "unseen" => Ok(Self::Unseen),
            _ => Err(format!("{name} is no half: known, unseen")),
        }
    }
}

/// What is asked for.
#[derive(Default, Clone, Copy)]
pub struct How {
    /// One half only; both without it.
    pub half: Option<Half>,
    /// Also prints each page.
    pub verbose: bool,
}

#[derive(Deserialize)]
struct Reading {
    name: String,
    page: Option<Page>,
}

#[derive(Deserialize)]
struct Facts {
    r#type: String,
}

/// What was found of one page.
struct Found<'a> {
    labelled: &'a Labelled,
    kind: String,
    confidence: f32,
}

impl Found<'_> {
    fn is_right(&self) -> bool {
        self.kind == self.labelled.kind || self.labelled.also.contains(&self.kind)
    }
}

/// The half that a page is in, by its name (FNV-1a).
fn half_of(name: &str) -> Half {
    let hash = name
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    if (hash >> 32) % 2 == 0 { Half::Known } else { Half::Unseen }
}

/// All pages: those of `dir`, its documents and readings, and the facts that name the kinds of `summaries`.
pub fn read(dir: &Path, summaries: &Path) -> Anyhow<Vec<Labelled>> {
    let mut all = written::read_all(&dir.join("kinds"))?;
    let labels = read_labels(&dir.join("kinds/labels.txt"))?;
    for file in ["summaries.jsonl", "kinds/readings.jsonl"] {
        let path = dir.join(file);
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        for line in text.lines().filter(|line| !line.is_empty()) {
            let Reading { name, page } = serde_json::from_str(line)?;
            let Some(page) = page else { continue };
            add(&mut all, &labels, kind_of(&summaries.join(&name))?, name, page)?;
        }
    }
    for doc in docs::read(dir)? {
        add(&mut all, &labels, None, doc.id.clone(), doc.page())?;
    }
    let names: BTreeSet<&str> = all.iter().map(|one| one.name.as_str()).collect();
    if names.len() != all.len() {
        return Err("two pages have the same name".into());
    }
    if let Some(name) = labels.keys().find(|name| !names.contains(name.as_str())) {
        return Err(format!("labels.txt names {name}, which is not there").into());
    }
    Ok(all)
}

fn add(
    all: &mut Vec<Labelled>,
    labels: &BTreeMap<String, Vec<String>>,
    kind: Option<String>,
    name: String,
    page: Page,
) -> Anyhow<()> {
    let mut words = labels.get(&name).cloned().unwrap_or_default().into_iter();
    let label = words.next().filter(|word| word != "-");
    let kind = label.or(kind).ok_or(format!("{name} has no kind"))?;
    all.push(Labelled { name, kind, also: words.collect(), page });
    Ok(())
}

/// The kind that the facts of a page name.
fn kind_of(folder: &Path) -> Anyhow<Option<String>> {
    let path = folder.join("nuggets.json");
    if !path.exists() {
        return Ok(None);
    }
    let facts: Facts = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    Ok(Some(facts.r#type))
}

fn read_labels(path: &Path) -> Anyhow<BTreeMap<String, Vec<String>>> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut labels = BTreeMap::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let mut words = line.split_whitespace().map(str::to_owned);
        labels.insert(words.next().unwrap_or_default(), words.collect());
    }
    Ok(labels)
}

/// Prints the figures of each half, and says which are below their floors.
pub async fn measure(all: &[Labelled], how: &How) -> Anyhow<Vec<String>> {
    let mut missed = Vec::new();
    for (half, name) in [(Half::Known, "known"), (Half::Unseen, "unseen")] {
        if how.half.is_some_and(|wanted| wanted != half) {
            continue;
        }
        let mut found = Vec::new();
        for labelled in all.iter().filter(|one| half_of(&one.name) == half) {
            found.push(find(labelled, how.verbose).await?);
        }
        println!("\n{name} half");
        print_confusion(&found);
        print_calibration(&found);
        let right = found.iter().filter(|one| one.is_right()).count();
        let accuracy = right as f64 / found.len().max(1) as f64;
        println!("{name} half: {right} of {} right, accuracy {accuracy:.3}", found.len());
        missed.extend(floors::missed_kinds(name, accuracy));
    }
    Ok(missed)
}

async fn find(labelled: &Labelled, verbose: bool) -> Anyhow<Found<'_>> {
    let digest = match Digest::new(&labelled.page, &Limits::default(), &async || true).await {
        Ok(digest) => digest,
        Err(DigestError::NoText { .. }) => return Err(format!("{} has no text", labelled.name).into()),
        Err(error) => return Err(error.to_string().into()),
    };
    let kind = digest.kind();
    let found = Found { labelled, kind: kind.name.into(), confidence: kind.confidence };
    if verbose {
        let mark = if found.is_right() { ' ' } else { '!' };
        println!("{mark} {:28} {:17} {:17} {:.2}", labelled.name, labelled.kind, kind.name, kind.confidence);
        for one in kind.candidates.iter().take(if found.is_right() { 0 } else { 3 }) {
            println!("        {one}");
        }
        let own = kind.candidates.iter().skip(3).find(|one| one.name == labelled.kind);
        own.filter(|_| !found.is_right()).into_iter().for_each(|one| println!("        {one}"));
    }
    Ok(found)
}

/// For each kind: how many pages, how many right, and what the others were taken for.
fn print_confusion(found: &[Found<'_>]) {
    let mut kinds: BTreeMap<&str, Vec<&Found<'_>>> = BTreeMap::new();
    found.iter().for_each(|one| kinds.entry(&one.labelled.kind).or_default().push(one));
    println!("{:18}{:>6}{:>7}  taken for", "kind", "pages", "right");
    for (kind, pages) in kinds {
        let mut others: BTreeMap<&str, usize> = BTreeMap::new();
        pages.iter().filter(|one| !one.is_right()).for_each(|one| *others.entry(&one.kind).or_default() += 1);
        let right = pages.iter().filter(|one| one.is_right()).count();
        let others: Vec<String> = others.iter().map(|(name, count)| format!("{name} {count}")).collect();
        println!("{kind:18}{:>6}{right:>7}  {}", pages.len(), others.join(", "));
    }
}

/// By fifths of confidence: how sure, and how often right.
fn print_calibration(found: &[Found<'_>]) {
    println!("{:18}{:>6}{:>7}{:>7}", "confidence", "pages", "mean", "right");
    for fifth in 0..5 {
        let low = fifth as f32 / 5.0;
        let is_in = |one: &&Found<'_>| one.confidence >= low && (one.confidence < low + 0.2 || fifth == 4);
        let pages: Vec<&Found<'_>> = found.iter().filter(is_in).collect();
        let count = pages.len().max(1) as f32;
        let mean = pages.iter().map(|one| one.confidence).sum::<f32>() / count;
        let right = pages.iter().filter(|one| one.is_right()).count() as f32 / count;
        println!("{:18}{:>6}{mean:>7.2}{right:>7.2}", format!("{low:.1} to {:.1}", low + 0.2), pages.len());
    }
}
