//! Measures summaries and answers on documents with reference summaries and questions.
//!
//!     quality --docs DIR [--packages DIR] [--articles DIR] [--encoder FILE.gguf] [--model FILE.gguf [--reword] [--free]]
//!             [--readings FILE] [--only ID] [--verbose] [--json] [--floors]
//!     quality --nuggets DIR --readings FILE [--model FILE.gguf [--whole]] [--anew | --fit] [--only NAME]
//!             [--verbose] [--json]
//!     quality --kinds DIR --summaries DIR [--half known|unseen] [--verbose] [--floors]
//!     quality --attacks --model FILE.gguf [--only TEXT]

mod attacked;
#[path = "../../tests/common/attacks.rs"]
mod attacking;
mod checks;
mod docs;
mod encoder;
#[allow(dead_code)] // Only its loading is needed.
#[path = "../conformance/files.rs"]
mod files;
mod fit;
mod floors;
mod html;
mod kinds;
mod manuals;
mod measure;
mod nuggets;
mod plain;
mod porter;
mod report;
mod rouge;
mod summaries;
mod writing;
mod written;

use std::path::PathBuf;
use std::process::ExitCode;

use docs::Anyhow;
use measure::{Asked, Found, Measured};
use pith_engine::digest::{GateCounts, Keep};
use pith_engine::writer::TestResult;

#[derive(Default)]
struct Args {
    docs: PathBuf,
    /// Where the packages lie unpacked that pages stand in.
    packages: Option<PathBuf>,
    /// Documents whose questions are asked of all pages, which do not answer them.
    articles: Option<PathBuf>,
    /// Without it only the words are compared.
    encoder: Option<PathBuf>,
    /// A language model that writes lines from the key sentences.
    model: Option<PathBuf>,
    /// Whether its lines may have other words than their sources.
    reword: bool,
    /// Whether it may choose numbers and names that the source does not have.
    free: bool,
    only: Option<String>,
    verbose: bool,
    json: bool,
    /// Whether the averages must come to the project's floors.
    floors: bool,
    /// Facts that summaries of pages must hold.
    nuggets: Option<PathBuf>,
    /// What the extension read of pages: those with facts, or those that documents name.
    readings: Option<PathBuf>,
    /// Whether lines are made anew from what was read.
    anew: bool,
    /// Whether the model writes from whole pages, whatever its size.
    whole: bool,
    /// Whether the weights of sentences are fitted to the facts.
    fit: bool,
    /// Pages whose kinds are known, and the folder with the facts of some of them.
    kinds: Option<PathBuf>,
    summaries: PathBuf,
    half: Option<kinds::Half>,
    /// Whether the model reads pages that attack, in place of documents.
    attacks: bool,
}

fn main() -> ExitCode {
    match parse().and_then(|args| pollster::block_on(run(&args))) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("quality: {error}");
            ExitCode::from(2)
        }
    }
}

fn parse() -> Anyhow<Args> {
    let mut parsed = Args::default();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} needs a value"));
        match arg.as_str() {
            "--docs" => parsed.docs = value()?.into(),
            "--packages" => parsed.packages = Some(value()?.into()),
            "--articles" => parsed.articles = Some(value()?.into()),
            "--encoder" => parsed.encoder = Some(value()?.into()),
            "--model" => parsed.model = Some(value()?.into()),
            "--reword" => parsed.reword = true,
            "--free" => parsed.free = true,
            "--only" => parsed.only = Some(value()?),
            "--verbose" => parsed.verbose = true,
            "--json" => parsed.json = true,
            "--floors" => parsed.floors = true,
            "--attacks" => parsed.attacks = true,
            "--nuggets" => parsed.nuggets = Some(value()?.into()),
            "--kinds" => parsed.kinds = Some(value()?.into()),
            "--summaries" => parsed.summaries = value()?.into(),
            "--half" => parsed.half = Some(value()?.parse()?),
            "--readings" => parsed.readings = Some(value()?.into()),
            "--anew" => parsed.anew = true,
            "--whole" => parsed.whole = true,
            "--fit" => parsed.fit = true,
            other => return Err(format!("unknown argument {other}").into()),
        }
    }
    Ok(parsed)
}

/// Whether the floors are met, where they are asked for.
async fn run(args: &Args) -> Anyhow<bool> {
    if args.attacks {
        let model = args.model.as_ref().ok_or("--attacks needs --model")?;
        let mut language = writing::Language::open(model, Keep::Shortened, true).await?;
        let wrong = attacked::read_all(&mut language, args.only.as_deref().unwrap_or_default()).await?;
        wrong.iter().for_each(|line| eprintln!("{line}"));
        return Ok(wrong.is_empty());
    }
    if let Some(dir) = &args.kinds {
        let all = kinds::read(dir, &args.summaries)?;
        let how = kinds::How { half: args.half, verbose: args.verbose };
        return Ok(are_met(&kinds::measure(&all, &how).await?, args));
    }
    if let Some(dir) = &args.nuggets {
        let readings = args.readings.as_ref().ok_or("--nuggets needs --readings")?;
        if args.fit {
            fit::run(&nuggets::samples(dir, readings, args.verbose).await?);
            return Ok(true);
        }
        let how = nuggets::How {
            only: args.only.as_deref(),
            verbose: args.verbose,
            json: args.json,
            anew: args.anew,
            whole: args.whole,
        };
        let mut model = match &args.model {
            Some(path) => Some(writing::Language::open(path, Keep::Shortened, true).await?),
            None => None,
        };
        let mean = nuggets::measure(dir, readings, model.as_mut(), &how).await?;
        return Ok(are_met(&mean.missed(), args));
    }
    let mut encoder = match &args.encoder {
        Some(path) => Some(encoder::Encoder::open(path).await?),
        None => None,
    };
    let mut docs = docs::read(&args.docs)?;
    if let Some(packages) = &args.packages {
        manuals::read_packages(&mut docs, packages)?;
    }
    if let Some(articles) = &args.articles {
        manuals::ask_strangers(&mut docs, &docs::read(articles)?);
    }
    if let Some(readings) = &args.readings {
        docs::read_pages(&mut docs, readings)?;
    }
    let keep = if args.reword { Keep::Reworded } else { Keep::Shortened };
    let mut language = match &args.model {
        Some(path) => Some(writing::Language::open(path, keep, !args.free).await?),
        None => None,
    };
    if let Some(language) = &mut language
        && !args.json
    {
        print_test(&language.test().await?, args.verbose);
    }
    let mut all: Vec<Measured> = Vec::new();
    for doc in docs.iter().filter(|doc| args.only.as_ref().is_none_or(|only| doc.id.contains(only))) {
        let Some(measured) = measure::measure(doc, encoder.as_mut(), language.as_mut()).await? else {
            eprintln!("{}: no text to summarize", doc.id);
            continue;
        };
        match args.json {
            true => println!("{}", serde_json::to_string(&measured)?),
            false => print(&measured, args.verbose),
        }
        all.push(measured);
    }
    match args.json {
        true => println!("{}", report::averages(&all)),
        false => report::print(&all),
    }
    Ok(are_met(&floors::missed(&report::averages(&all)), args))
}

/// Whether nothing is below a floor, where floors are asked for.
fn are_met(missed: &[String], args: &Args) -> bool {
    let missed = if args.floors { missed } else { &[] };
    missed.iter().for_each(|line| eprintln!("below the floor: {line}"));
    missed.is_empty()
}

/// The verdict of a model's short test.
fn print_test(test: &TestResult, verbose: bool) {
    for line in test.lines.iter().filter(|_| verbose) {
        println!("    {:16} {} -> {}", line.flaw.unwrap_or("ok"), line.source, line.written);
    }
    let GateCounts { questions, answered, lines, shortened, reworded, flawed, invented } = test.counts;
    println!(
        "test: may {:?}; {answered} of {questions} questions answered; of {lines} lines {shortened} shortened, {reworded} changed and right, \
         {flawed} wrong, {invented} with an invented number or name; {:.1} tokens/s, {:.1} s",
        test.tier,
        1e3 * test.tokens as f64 / test.time_ms.max(1.0),
        test.time_ms / 1e3
    );
}

fn print(doc: &Measured, verbose: bool) {
    let rouge = match (doc.rouge1, doc.rouge2, doc.rouge_lsum) {
        (Some(one), Some(two), Some(lsum)) => format!("{one:.1} {two:.1} {lsum:.1}"),
        _ => "-".into(),
    };
    let answerable = doc.questions.iter().filter(|one| one.answerable);
    let first = answerable.clone().filter(|one| shown(one).rank == Some(1)).count();
    println!(
        "{:24} {:12} ROUGE {rouge:16} hanging {} of {}, first right {first} of {}",
        doc.id,
        doc.set,
        doc.hanging,
        doc.lines,
        answerable.count()
    );
    if verbose {
        doc.key_lines.iter().for_each(|line| println!("    | {line}"));
        for line in doc.writing.iter().flat_map(|writing| &writing.lines) {
            println!("    {} {}", if line.written { "w" } else { "=" }, line.text);
            for (draft, flaw) in line.drafts.iter().filter(|(_, flaw)| flaw.is_some()) {
                println!("        {}: {draft}", flaw.unwrap_or_default());
            }
        }
        for one in &doc.questions {
            let (text, found) = (&one.by_text, shown(one));
            let rank = |found: &Found| found.rank.map_or("-".into(), |rank| rank.to_string());
            let verdict = match (one.answerable, found.refused) {
                (true, false) if found.rank == Some(1) => "right",
                (false, true) => "refused",
                (true, true) => "REFUSED",
                (true, false) => "WRONG",
                (false, false) => "OFFERED",
            };
            println!(
                "    {verdict:8} text {} shown {} {} -> {:.120}",
                rank(text),
                rank(found),
                one.text,
                found.first
            );
        }
    }
}

/// What a user gets.
fn shown(asked: &Asked) -> &Found {
    asked.hybrid.as_ref().unwrap_or(&asked.by_text)
}
