//! The cases that no device takes part in: the section tokenizers, and the folder chat/.

use std::fs;

use pith_engine::chat::Moment;
use serde_json::{Map, Value, json};

use super::cases::Case;
use super::files::{Anyhow, Fixtures, ids_of};
use super::subject::{Subject, Template};

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
pub async fn tokenizer_case(f: &Fixtures, group: &Value, subject: &mut impl Subject) -> Case {
    let name = group["preset"].as_str().or(group["model"].as_str()).unwrap_or("?");
    let case = Case::new(name, "tokenizers", subject.backend());
    let Some(model) = group["model"].as_str() else { return case.failed("no model is named") };
    if let Err(e) = subject.load_tokenizer(&f.dir.join(model)).await {
        return case.failed(e);
    }
    let mut tally = Tally::default();
    for wanted in group["cases"].as_array().into_iter().flatten() {
        tally.check(same_tokens(subject, wanted).await.map_err(|e| e.to_string()));
    }
    tally.into_case(case)
}

async fn same_tokens(subject: &mut impl Subject, case: &Value) -> Anyhow<()> {
    let text = case["text"].as_str().ok_or("a case without a text")?;
    let known = ["ids", "ids_special", "detok_hex"].iter().filter(|key| !case[**key].is_null());
    if known.count() == 0 {
        return Err(format!("{text:?}: nothing to compare with").into());
    }
    for (key, special) in [("ids", false), ("ids_special", true)] {
        if case[key].is_null() {
            continue;
        }
        let found = subject.tokenize(text, special).await.map_err(|e| format!("{text:?}: {e}"))?;
        let wanted = ids_of(&case[key]);
        if found != wanted {
            return Err(format!("{key} of {text:?}: {found:?}, not {wanted:?}").into());
        }
    }
    let Some(hex) = case["detok_hex"].as_str() else { return Ok(()) };
    let wanted = bytes_of_hex(hex).ok_or("detok_hex is not hexadecimal")?;
    let found = subject.detokenize(&ids_of(&case["ids"])).await?;
    // A page gets characters, with U+FFFD for bytes that are none.
    match found == wanted || found == String::from_utf8_lossy(&wanted).as_bytes() {
        true => Ok(()),
        false => Err(format!("the text back of {text:?}: {:?}", String::from_utf8_lossy(&found)).into()),
    }
}

fn bytes_of_hex(hex: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = hex.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect();
    Some(digits?.chunks(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit)).collect())
}

/// One case for each wanted file of the folder chat/ that is there.
pub async fn chat_cases(
    f: &Fixtures,
    wanted: impl Fn(&str) -> bool,
    subject: &mut impl Subject,
) -> Vec<Case> {
    let mut cases = Vec::new();
    for name in ["jinja_cases", "llama_cpp_cases", "rendered"] {
        let path = f.dir.join(format!("chat/{name}.json"));
        if !wanted(name) || !path.is_file() {
            continue;
        }
        let case = Case::new(name, "chat", subject.backend());
        let read = || -> Anyhow<Value> { Ok(serde_json::from_slice(&fs::read(&path)?)?) };
        cases.push(match read() {
            Err(e) => case.failed(e),
            Ok(file) => {
                let mut tally = Tally::default();
                for one in file["cases"].as_array().into_iter().flatten() {
                    match name {
                        "jinja_cases" => tally.check(jinja_case(&file, one, subject).await),
                        "rendered" => tally.check(rendered_case(f, &file, one, subject).await),
                        _ => match llama_cpp_case(&file, one, subject).await {
                            Some(found) => tally.check(found),
                            None => tally.left_out += 1,
                        },
                    }
                }
                tally.into_case(case)
            }
        });
    }
    cases
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

/// A rendering and what it should be; None where an error is expected.
fn same_text(name: &Value, found: Anyhow<String>, wanted: Option<&str>) -> Result<(), String> {
    match (found, wanted) {
        (Ok(found), Some(wanted)) if found == wanted => Ok(()),
        (Err(_), None) => Ok(()),
        (Ok(found), Some(wanted)) => Err(format!("{name}: {found:?}, not {wanted:?}")),
        (Ok(found), None) => Err(format!("{name}: {found:?} where an error was expected")),
        (Err(e), Some(_)) => Err(format!("{name}: {e}")),
    }
}

/// A small template with its variables.
async fn jinja_case(file: &Value, case: &Value, subject: &mut impl Subject) -> Result<(), String> {
    let text = case["template"].as_str().unwrap_or_default();
    let template = Template { text, ..Template::default() };
    let (name, wanted) = (&case["name"], case["expect"].as_str());
    let found = subject.render(&template, None, &map_of(&case["vars"]), moment(file)).await;
    let found = same_text(name, found, wanted);
    // Where a template changes the list that it is given, the file has the list as it was afterwards.
    if found.is_err() && [".pop(", ".append("].iter().any(|change| text.contains(change)) {
        let before = map_of(&json!({ "arr": ["a", "b", "c"] }));
        return same_text(name, subject.render(&template, None, &before, moment(file)).await, wanted)
            .or(found);
    }
    found
}

/// A real template with a conversation as `transformers` takes it.
async fn rendered_case(
    f: &Fixtures,
    file: &Value,
    case: &Value,
    subject: &mut impl Subject,
) -> Result<(), String> {
    let template = case["template"].as_str().unwrap_or_default();
    let name = json!(format!("{template} {}", case["conversation"].as_str().unwrap_or("?")));
    let path = format!("chat/templates/{template}.jinja");
    let text = fs::read_to_string(f.dir.join(&path)).map_err(|e| format!("{path}: {e}"))?;
    let template = Template { text: &text, ..Template::default() };
    let found = subject.render(&template, None, &map_of(&case["vars"]), moment(file)).await;
    same_text(&name, found, case["expect"].as_str())
}

/// A template with a conversation as llama.cpp takes it: where the template refuses a system message, the first user
/// message gets it. None where it cannot be asked.
async fn llama_cpp_case(
    file: &Value,
    case: &Value,
    subject: &mut impl Subject,
) -> Option<Result<(), String>> {
    let text = |key: &str| case[key].as_str().unwrap_or_default();
    let mut template =
        Template { text: text("template"), bos_token: text("bos_token"), eos_token: text("eos_token") };
    let mut variables = Map::new();
    let add = file["add_generation_prompt"].as_bool().unwrap_or(true);
    variables.insert("add_generation_prompt".to_owned(), add.into());
    if case["jinja"] == false {
        // The expectation is that of a format written in C++. A template can only meet it with tokens that the file
        // does not name; those of GigaChat, of which this is known, are given here.
        if !template.text.contains("additional_special_tokens") {
            return None;
        }
        template.bos_token = "<s>";
        let tokens = json!(["<|role_sep|>", "<|message_sep|>", "[", "]"]);
        variables.insert("additional_special_tokens".to_owned(), tokens);
    }
    let turns = case["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let found = subject.render(&template, Some(turns), &variables, moment(file)).await;
    Some(same_text(&case["name"], found, case["expected_jinja"].as_str()))
}

fn map_of(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}
