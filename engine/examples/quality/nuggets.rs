//! Facts that a good summary of a page must hold: how many of them its lines have, and how many lines have no place there.
//!
//! DIR/NAME.json or DIR/NAME/nuggets.json: {"type", "language", "nuggets": [{"fact", "vital", "any": [[REGEX]]}], "poor": [REGEX]}. A fact is
//! there where one line has all patterns of one alternative.

use std::collections::BTreeMap;
use std::path::Path;

use fancy_regex::Regex;
use serde::{Deserialize, Serialize};

use pith_engine::digest::{Digest, DigestError, Limits, Page, SummaryOptions};

use crate::docs::Anyhow;
use crate::fit::{PageSamples, Sample};
use crate::floors;
use crate::plain::{WORDS_MAX, cut, normal, words};
use crate::writing::Language;

/// Lines of a summary that count.
const LINES_MAX: usize = 5;
/// Lines that no summary should have, whatever the page.
const POOR: [&str; 9] = [
    r"(?i)^(share|tweet|advertisement|comments?|related|read more|see also|contents|references?)\b[^.]{0,40}$",
    r"(?i)^(changed|new|added) in version",
    r"(?i)^copyright\b|all rights reserved",
    r"(?i)^(figure|fig\.|table|listing|photo) ?\d",
    r"(?i)^(posted|written|published) (by|on)\b",
    r"(?i)^(sign up|subscribe|log in|click here)\b",
    r"^[\W\d_]*$",
    r"^(where|which|whose|that|and|but|or|so|then|because) ",
    r":$",
];

#[derive(Deserialize)]
struct Nugget {
    fact: String,
    vital: bool,
    any: Vec<Vec<String>>,
}

#[derive(Deserialize)]
struct Set {
    r#type: String,
    nuggets: Vec<Nugget>,
    #[serde(default)]
    poor: Vec<String>,
}

/// A page as the extension read it, and what it showed of it where it was asked.
#[derive(Deserialize, Default)]
struct Reading {
    name: String,
    page: Option<Page>,
    #[serde(default)]
    lines: Vec<String>,
    kind_found: Option<String>,
    first_ms: Option<f64>,
    final_ms: Option<f64>,
    /// What speaks for its kind.
    #[serde(skip)]
    evidence: String,
}

/// What a page's lines came to.
#[derive(Serialize, Clone, Default)]
pub struct Scored {
    name: String,
    kind: String,
    kind_found: Option<String>,
    lines: Vec<String>,
    vital: f64,
    recall: f64,
    precision: f64,
    poor: f64,
    score: f64,
    first_ms: Option<f64>,
    final_ms: Option<f64>,
    #[serde(skip)]
    evidence: String,
    #[serde(skip)]
    missing: Vec<String>,
    #[serde(skip)]
    marks: Vec<(bool, usize)>,
}

/// How the figures are shown and made.
pub struct How<'a> {
    pub only: Option<&'a str>,
    pub verbose: bool,
    pub json: bool,
    /// Whether lines are made here, from the reading, though the reading has some.
    pub anew: bool,
    /// Whether a model writes from the whole page, whatever its size.
    pub whole: bool,
}

/// Scores the readings of a file, a line of JSON each, and prints them. Gives the averages over pages.
pub async fn measure(
    dir: &Path,
    readings: &Path,
    mut model: Option<&mut Language>,
    how: &How<'_>,
) -> Anyhow<Scored> {
    let text =
        std::fs::read_to_string(readings).map_err(|error| format!("{}: {error}", readings.display()))?;
    let mut all = Vec::new();
    let mut ways: BTreeMap<&str, Vec<Scored>> = BTreeMap::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let mut reading: Reading = serde_json::from_str(line)?;
        if how.only.is_some_and(|only| !reading.name.contains(only)) {
            continue;
        }
        let Some(set) = read_set(dir, &reading.name)? else { continue };
        if how.anew
            && let Some(page) = &reading.page
        {
            let started = std::time::Instant::now();
            (reading.lines, reading.kind_found, reading.evidence) = summarize(page).await?;
            reading.final_ms = Some(started.elapsed().as_secs_f64() * 1e3);
        }
        if let (Some(model), Some(page)) = (model.as_deref_mut(), &reading.page)
            && let Some(digest) = digest(page).await?
        {
            let written = model.summarize(&digest, how.whole).await?;
            if how.verbose {
                println!("      written in {:.1} s", written.seconds);
            }
            for (way, lines) in written.ways {
                let one = Reading { name: reading.name.clone(), lines, ..Reading::default() };
                ways.entry(way).or_default().push(score(&set, one)?);
            }
            reading.lines = written.shown;
        }
        let scored = score(&set, reading)?;
        match how.json {
            true => println!("{}", serde_json::to_string(&scored)?),
            false => print(&scored, how.verbose),
        }
        all.push(scored);
    }
    let mean = mean("mean", &all.iter().collect::<Vec<_>>());
    if !how.json {
        print_kinds(&all, &mean);
        print_ways(&ways);
    }
    Ok(mean)
}

fn read_set(dir: &Path, name: &str) -> Anyhow<Option<Set>> {
    let paths = [dir.join(format!("{name}.json")), dir.join(name).join("nuggets.json")];
    let Some(path) = paths.iter().find(|path| path.exists()) else { return Ok(None) };
    let text = std::fs::read_to_string(path)?;
    Ok(Some(serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?))
}

/// The sentences of every page with their features and facts.
pub async fn samples(dir: &Path, readings: &Path, verbose: bool) -> Anyhow<Vec<PageSamples>> {
    let mut all = Vec::new();
    for line in std::fs::read_to_string(readings)?.lines() {
        let reading: Reading = serde_json::from_str(line)?;
        let (Some(set), Some(page)) = (read_set(dir, &reading.name)?, &reading.page) else { continue };
        let Some(digest) = digest(page).await? else { continue };
        let patterns = Patterns::new(&set)?;
        let mut samples = Vec::new();
        for (at, may_stand, features) in digest.sentence_features() {
            let (is_poor, facts) = patterns.read(&digest.sentences()[at].text);
            let vital = facts.iter().any(|&fact| set.nuggets[fact].vital);
            if verbose && vital && !may_stand {
                println!(
                    "{}: never stands, though it has a vital fact: {}",
                    reading.name,
                    digest.sentences()[at].text
                );
            }
            if may_stand {
                let facts = facts.into_iter().map(|fact| (fact, patterns.weight(fact) as f32)).collect();
                samples.push(Sample { features, facts, is_poor });
            }
        }
        let total = (0..set.nuggets.len()).map(|at| patterns.weight(at) as f32).sum();
        all.push(PageSamples { samples, total });
    }
    Ok(all)
}

/// A page's digest; `None` for a page without text.
async fn digest(page: &Page) -> Anyhow<Option<Digest>> {
    match Digest::new(page, &Limits::default(), &async || true).await {
        Ok(digest) => Ok(Some(digest)),
        Err(DigestError::NoText { .. }) => Ok(None),
        Err(error) => Err(error.to_string().into()),
    }
}

/// The lines of a page, and its kind.
async fn summarize(page: &Page) -> Anyhow<(Vec<String>, Option<String>, String)> {
    let Some(digest) = digest(page).await? else {
        return Ok((Vec::new(), None, String::new()));
    };
    let summary = digest.summarize(&SummaryOptions::default());
    let lines = summary.lines.iter().map(|line| digest.line_text(line)).collect();
    let evidence: Vec<String> = digest.kind().candidates.iter().take(3).map(ToString::to_string).collect();
    Ok((lines, Some(summary.kind.into()), evidence.join("\n      ")))
}

fn compile(pattern: &str) -> Anyhow<Regex> {
    Ok(Regex::new(pattern)?)
}

/// The patterns of a page's facts and of lines that have no place in its summary.
struct Patterns<'a> {
    set: &'a Set,
    facts: Vec<Vec<Vec<Regex>>>,
    poor: Vec<Regex>,
    /// Whether a line that asks may have a fact.
    asks: bool,
}

impl<'a> Patterns<'a> {
    fn new(set: &'a Set) -> Anyhow<Self> {
        let folding = |pattern: &String| compile(&format!("(?i){pattern}"));
        let all = |all: &Vec<String>| all.iter().map(folding).collect::<Anyhow<Vec<_>>>();
        let fact = |nugget: &Nugget| nugget.any.iter().map(all).collect::<Anyhow<Vec<_>>>();
        let poor = set.poor.iter().map(folding).chain(POOR.iter().map(|pattern| compile(pattern)));
        Ok(Self {
            set,
            facts: set.nuggets.iter().map(fact).collect::<Anyhow<_>>()?,
            poor: poor.collect::<Anyhow<_>>()?,
            asks: matches!(set.r#type.as_str(), "qa" | "forum"),
        })
    }

    fn weight(&self, fact: usize) -> f64 {
        if self.set.nuggets[fact].vital { 2.0 } else { 1.0 }
    }

    /// Whether a line has no place in a summary, and the facts that it has.
    fn read(&self, line: &str) -> (bool, Vec<usize>) {
        let line = normal(line);
        let long = words(&line) > WORDS_MAX as f64;
        let line = cut(&line);
        let end = line.trim_end_matches(['"', '\'', ')', ']']);
        let question = !self.asks && end.ends_with(['?', '？', '؟']) && !line.contains(':');
        let is_match = |pattern: &Regex| pattern.is_match(&line).unwrap_or(false);
        let has = |fact: &usize| self.facts[*fact].iter().any(|all| all.iter().all(is_match));
        let facts: Vec<usize> = (0..self.facts.len()).filter(|fact| !question && has(fact)).collect();
        let vital = facts.iter().any(|&fact| self.set.nuggets[fact].vital);
        (long || ((question || self.poor.iter().any(is_match)) && !vital), facts)
    }
}

fn score(set: &Set, reading: Reading) -> Anyhow<Scored> {
    let patterns = Patterns::new(set)?;
    let mut has = vec![false; set.nuggets.len()];
    let (mut useful, mut bad) = (0, 0);
    let mut marks = Vec::new();
    for line in reading.lines.iter().take(LINES_MAX) {
        let (is_poor, facts) = patterns.read(line);
        facts.iter().for_each(|&fact| has[fact] = true);
        useful += usize::from(!facts.is_empty());
        bad += usize::from(is_poor);
        marks.push((is_poor, facts.len()));
    }
    let count = reading.lines.len().clamp(1, LINES_MAX) as f64;
    let facts = || 0..set.nuggets.len();
    let all: f64 = facts().map(|fact| patterns.weight(fact)).sum();
    let found: f64 = facts().filter(|&fact| has[fact]).map(|fact| patterns.weight(fact)).sum();
    let vitals = facts().filter(|&fact| set.nuggets[fact].vital).count().max(1) as f64;
    let vital = facts().filter(|&fact| has[fact] && set.nuggets[fact].vital).count() as f64 / vitals;
    let (recall, precision, poor) = (found / all.max(1.0), useful as f64 / count, bad as f64 / count);
    let f1 = if recall + precision > 0.0 { 2.0 * recall * precision / (recall + precision) } else { 0.0 };
    let missing = facts().filter(|&fact| !has[fact]).map(|fact| {
        let nugget = &set.nuggets[fact];
        format!("{} {}", if nugget.vital { "VITAL" } else { "     " }, nugget.fact)
    });
    Ok(Scored {
        name: reading.name,
        kind: set.r#type.clone(),
        kind_found: reading.kind_found,
        lines: reading.lines,
        vital,
        recall,
        precision,
        poor,
        score: f1 * (1.0 - poor / 2.0),
        first_ms: reading.first_ms,
        final_ms: reading.final_ms,
        evidence: reading.evidence,
        missing: missing.collect(),
        marks,
    })
}

fn mean(name: &str, all: &[&Scored]) -> Scored {
    let of =
        |value: fn(&Scored) -> f64| all.iter().map(|one| value(one)).sum::<f64>() / all.len().max(1) as f64;
    Scored {
        name: name.into(),
        vital: of(|one| one.vital),
        recall: of(|one| one.recall),
        precision: of(|one| one.precision),
        poor: of(|one| one.poor),
        score: of(|one| one.score),
        ..Scored::default()
    }
}

impl Scored {
    /// A line for each average that is out of bounds.
    pub fn missed(&self) -> Vec<String> {
        floors::missed_facts([self.vital, self.recall, self.score], self.poor)
    }
}

fn figures(one: &Scored) -> String {
    format!("{:6.2}{:7.2}{:7.2}{:6.2}{:7.2}", one.vital, one.recall, one.precision, one.poor, one.score)
}

fn print(one: &Scored, verbose: bool) {
    let found = one.kind_found.as_deref().unwrap_or("-");
    let mark = if found == one.kind { " " } else { "!" };
    println!("{:28}{:18}{mark}{found:18}{}", one.name, one.kind, figures(one));
    if verbose {
        println!("      {}", one.evidence);
        for (line, (poor, carried)) in one.lines.iter().zip(&one.marks) {
            println!("    {} {carried} {line}", if *poor { "!" } else { " " });
        }
        one.missing.iter().for_each(|fact| println!("        missing {fact}"));
    }
}

/// What a summary would be in other ways, on the same pages.
fn print_ways(ways: &BTreeMap<&str, Vec<Scored>>) {
    for (way, pages) in ways {
        println!("{way:47}{}", figures(&mean(way, &pages.iter().collect::<Vec<_>>())));
    }
}

fn print_kinds(all: &[Scored], total: &Scored) {
    let mut kinds: BTreeMap<&str, Vec<&Scored>> = BTreeMap::new();
    all.iter().for_each(|one| kinds.entry(&one.kind).or_default().push(one));
    println!("\n{:47}{:>6}{:>7}{:>7}{:>6}{:>7}", "kind", "vital", "recall", "prec", "poor", "score");
    for (kind, pages) in &kinds {
        println!("{:47}{}", format!("{kind} ({})", pages.len()), figures(&mean(kind, pages)));
    }
    let right = all.iter().filter(|one| one.kind_found.as_deref() == Some(&one.kind)).count();
    println!(
        "{:47}{}   kind right {right} of {}",
        format!("mean of {} pages", all.len()),
        figures(total),
        all.len()
    );
}
