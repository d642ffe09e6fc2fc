//! `cargo xtask reading`: what the extension reads of pages. Against marked pages with figures; of any file or address with `--text`.

use pith_digest::{Digest, Limits, Noise, Page};
use serde_json::{Value, json};

use crate::error::{Error, Result};
use crate::forward::script;
use crate::quality::absolute;
use crate::{say, web};

const USAGE: &str = "\
cargo xtask reading --text [--browser firefox] [--json] FILE_OR_URL...

  What the extension reads of pages, PDF and text files, in order.
  --json  a line per input: {\"file\", \"title\", \"language\", \"kind\", \"blocks\": [{\"kind\", \"text\"}], \"sentences\": [TEXT],
          \"not_read\": {REASON: COUNT}, \"problem\"}";

/// Runs the verb.
pub fn run(args: &[String]) -> Result<()> {
    say::aside(args.iter().any(|arg| arg == "--json"));
    if args.iter().any(|arg| arg == "--text") {
        return text(args);
    }
    let args = crate::forward::absolute_values(args, &["--pages"]);
    let tools = web::build_all(web::Extent::Chrome)?;
    script("reading.ts").env("PITH_CHROME", &tools.chromium).args(args).run()
}

/// Prints what is read of each input.
fn text(args: &[String]) -> Result<()> {
    let (mut inputs, mut browser, mut is_json) = (Vec::new(), "chromium", false);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--text" => {}
            "--json" => is_json = true,
            "--browser" => match args.next().map(String::as_str) {
                Some(name @ ("chromium" | "firefox")) => browser = name,
                _ => return Err(Error::Usage(format!("--browser: chromium or firefox\n\n{USAGE}"))),
            },
            flag if flag.starts_with("--") => {
                return Err(Error::Usage(format!("unknown argument {flag}\n\n{USAGE}")));
            }
            _ => inputs.push(arg.as_str()),
        }
    }
    if inputs.is_empty() {
        return Err(Error::Usage(USAGE.into()));
    }
    let full = inputs
        .iter()
        .map(|input| if input.contains("://") { Ok((*input).into()) } else { absolute(input.as_ref()) });
    let full = full.collect::<Result<Vec<_>>>()?;
    let extent = if browser == "firefox" { web::Extent::Tested } else { web::Extent::Chrome };
    let tools = web::build_all(extent)?;
    let reader = script("reading-text.ts").env("PITH_CHROME", &tools.chromium);
    let mut failed = None;
    let mut names = inputs.iter();
    reader.args(["--browser", browser]).args(full).lines(|line| {
        let Some(name) = names.next() else { return };
        match told(name, line) {
            Ok(told) if is_json => println!("{told}"),
            Ok(told) => print(&told),
            Err(error) => failed = Some(error),
        }
    })?;
    failed.map_or(Ok(()), Err)
}

/// One input as it is printed with `--json`.
fn told(file: &str, line: &str) -> Result<Value> {
    let wrong = |error: serde_json::Error| Error::Check(format!("{file}: {error}"));
    let mut line: Value = serde_json::from_str(line).map_err(wrong)?;
    let page: Option<Page> = serde_json::from_value(line["page"].take()).map_err(wrong)?;
    let digest = page
        .as_ref()
        .and_then(|page| pollster::block_on(Digest::new(page, &Limits::default(), &async || true)).ok());
    let page = page.unwrap_or_default();
    let blocks: Vec<Value> =
        page.blocks.iter().map(|block| json!({ "kind": block.kind, "text": block.text })).collect();
    let sentences: Vec<&str> = digest
        .iter()
        .flat_map(Digest::sentences)
        .filter(|one| one.noise != Some(Noise::Row))
        .map(|one| one.text.as_str())
        .collect();
    Ok(json!({
        "file": file,
        "title": page.title,
        "language": digest.as_ref().map_or(page.language.as_deref(), |digest| Some(digest.language())),
        "kind": digest.as_ref().map(|digest| digest.kind().name),
        "blocks": blocks,
        "sentences": sentences,
        "not_read": line["notRead"],
        "problem": line["problem"],
    }))
}

/// The same for people.
fn print(told: &Value) {
    let of = |name: &str| told[name].as_str().unwrap_or("-").to_owned();
    println!("== {}", of("file"));
    if told["problem"].is_string() {
        return println!("   {}", of("problem"));
    }
    println!(
        "   title {} | language {} | kind {} | not read {}",
        of("title"),
        of("language"),
        of("kind"),
        told["not_read"]
    );
    for block in told["blocks"].as_array().into_iter().flatten() {
        let (kind, text) =
            (block["kind"].as_str().unwrap_or_default(), block["text"].as_str().unwrap_or_default());
        println!("{kind:<10} {}", text.replace('\t', " | "));
    }
}
