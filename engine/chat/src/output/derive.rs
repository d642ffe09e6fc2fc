//! Derives how a model writes from how its template writes past turns.
//!
//! Turns with names, keys and values that occur nowhere else are rendered; what stands between them is the format. Text
//! that two calls or two arguments share is a marker, and markers are cut at `<` and `[` only.

use super::families;
use super::format::{Calls, OutputFormat, Pair, REASONING_FIELDS, Scan, Shape};
use super::tracker::value_bytes;
use serde_json::{Map, Value as Json, json};

const CONTENT: &str = "CONTENT-PROBE";
const REASONING: &str = "REASONING-PROBE";
const NAMES: [&str; 2] = ["first_function", "second_function"];
const KEYS: [&str; 2] = ["first_key", "second_key"];
const VALUES: [&str; 2] = ["FIRST-VALUE", "SECOND-VALUE"];
/// Nine letters and digits: Mistral's templates take no other.
const IDS: [&str; 2] = ["call00001", "call00002"];
/// Longest turn of calls, and longest marker, that are looked at: a template may write megabytes.
const CALLS_BYTES_MAX: usize = 16 << 10;
const MARKER_BYTES_MAX: usize = 1 << 10;

/// A turn of the assistant: its content and its further fields.
pub(crate) struct Turn {
    pub(crate) content: &'static str,
    pub(crate) fields: Map<String, Json>,
}

/// Renders a user's turn and what follows it, with these variables and, if asked for, the beginning of an answer.
type Render<'a> = &'a dyn Fn(Option<Turn>, Map<String, Json>, bool) -> Option<String>;

struct Probe<'a> {
    render: Render<'a>,
    /// A user's turn with the beginning of an answer.
    prompt: String,
}

/// How a model writes, from its template `source`.
pub(crate) fn derive(source: &str, render: Render) -> OutputFormat {
    let prompt = render(None, variables(), true).unwrap_or_default();
    let probe = Probe { render, prompt };
    let text_arguments = probe.wants_text();
    let reasoning = probe.reasoning(source, text_arguments);
    let mut format = OutputFormat { reasoning, text_arguments, ..OutputFormat::default() };
    let is_short = |pair: &Pair| pair.iter().all(|marker| marker.len() <= MARKER_BYTES_MAX);
    format.reasoning = format.reasoning.filter(is_short);
    format.content = probe.content(&format).filter(is_short);
    format.calls = families::calls(source).or_else(|| probe.calls(&format));
    format.end = probe.end().filter(|end| end.len() <= MARKER_BYTES_MAX).unwrap_or_default();
    families::finish(source, &mut format);
    format
}

/// Tools of the probed names.
fn variables() -> Map<String, Json> {
    let tool = |name| {
        let properties = json!({ KEYS[0]: { "type": "string" }, KEYS[1]: { "type": "string" } });
        let parameters = json!({ "type": "object", "properties": properties, "required": [] });
        json!({ "type": "function", "function": { "name": name, "description": "a tool", "parameters": parameters } })
    };
    let mut variables = Map::new();
    variables.insert("tools".into(), NAMES.map(tool).into_iter().collect());
    variables
}

/// An assistant's turn.
fn turn(content: &'static str, reasoning: &str, calls: &[Json]) -> Turn {
    let mut fields = Map::new();
    if !reasoning.is_empty() {
        fields.extend(REASONING_FIELDS.map(|field| (field.to_owned(), Json::from(reasoning))));
    }
    if !calls.is_empty() {
        fields.insert("tool_calls".into(), calls.to_vec().into());
    }
    Turn { content, fields }
}

/// A call of one of the functions with so many arguments.
fn call(which: usize, count: usize, as_text: bool) -> Json {
    let arguments: Map<String, Json> =
        (0..count).map(|n| (KEYS[n].to_owned(), Json::from(VALUES[n]))).collect();
    let arguments = Json::Object(arguments);
    let arguments = if as_text { Json::from(spaced(&arguments)) } else { arguments };
    json!({ "id": IDS[which], "type": "function", "function": { "name": NAMES[which], "arguments": arguments } })
}

/// As Python writes it.
fn spaced(json: &Json) -> String {
    json.to_string().replace("\":\"", "\": \"").replace("\",\"", "\", \"")
}

impl Probe<'_> {
    fn render(&self, turn: Turn) -> Option<String> {
        (self.render)(Some(turn), variables(), false)
    }

    /// Where the answer begins in a rendered conversation.
    fn begin(&self, text: &str) -> usize {
        cut_end(&self.prompt[..common_prefix(&self.prompt, text)]).len()
    }

    fn reasoning(&self, source: &str, text_arguments: bool) -> Option<Pair> {
        let calls = [call(0, 1, text_arguments)];
        let turns =
            [turn(CONTENT, REASONING, &[]), turn(CONTENT, REASONING, &calls), turn("", REASONING, &calls)];
        let texts = turns.into_iter().filter_map(|turn| self.render(turn));
        let derived = texts.into_iter().find_map(|text| {
            let at = text.find(REASONING)?;
            let open = text[..at].rfind(['<', '['])?;
            let behind = &text[at + REASONING.len()..];
            let close = first_marker(behind)?.to_owned();
            let known = families::reasoning(|known| known == close);
            let open = text[open..at].trim().to_owned();
            // The mark of the assistant's turn opens no reasoning.
            let user_only = (self.render)(None, variables(), false).unwrap_or_default();
            let header = self.prompt.get(common_prefix(&self.prompt, &user_only)..).unwrap_or_default();
            let is_header = header.trim_start().starts_with(&*open) && open.len() < 40;
            if is_header || !open.ends_with(['>', ']']) { known } else { Some([open, close]) }
        });
        derived.or_else(|| families::reasoning(|close| source.contains(close)))
    }

    fn content(&self, format: &OutputFormat) -> Option<Pair> {
        let text = self.render(turn(CONTENT, "", &[]))?;
        let at = text.find(CONTENT)?;
        let lead = text.get(self.begin(&text)..at)?;
        let open = without_reasoning(lead, format).trim().to_owned();
        let close = first_marker(&text[at + CONTENT.len()..])?.to_owned();
        (!open.is_empty() && open.ends_with(['>', ']'])).then_some([open, close])
    }

    /// The control token behind an answer: where it is text, it is no content.
    fn end(&self) -> Option<String> {
        let text = self.render(turn(CONTENT, "", &[]))?;
        let behind = &text[text.find(CONTENT)? + CONTENT.len()..];
        first_marker(behind).filter(|mark| behind.starts_with(mark) && mark.contains('|')).map(str::to_owned)
    }

    /// Whether arguments are wanted as text: an object fails, or comes out as Python writes a dict.
    fn wants_text(&self) -> bool {
        let shows = |as_text| {
            let text = self.render(turn("", "", &[call(0, 1, as_text)])).unwrap_or_default();
            let repr = format!("{{'{}'", KEYS[0]);
            text.contains(NAMES[0]) && text.contains(VALUES[0]) && !text.contains(&repr)
        };
        !shows(false) && shows(true)
    }

    /// A turn of calls, from the beginning of the answer to the end of what is not the end of every turn.
    fn calls_text(&self, calls: &[Json], format: &OutputFormat) -> Option<String> {
        let text = self.render(turn("", "", calls))?;
        let plain = self.render(turn(CONTENT, "", &[]))?;
        let end = &plain[plain.find(CONTENT)? + CONTENT.len()..];
        let body = without_reasoning(text.get(self.begin(&text)..)?, format).to_owned();
        let shared = cut_begin(&body[body.len() - common_suffix(&body, end)..]).len();
        let calls = &body[..body.len() - shared];
        (calls.len() <= CALLS_BYTES_MAX).then(|| calls.to_owned())
    }

    fn calls(&self, format: &OutputFormat) -> Option<Calls> {
        let text_arguments = format.text_arguments;
        let one = self.calls_text(&[call(0, 1, text_arguments)], format)?;
        let (name, value) = (one.find(NAMES[0])?, one.find(VALUES[0])?);
        if let Some(calls) = self.object(&one, format) {
            return Some(calls);
        }
        let behind = one.get(name + NAMES[0].len()..value)?;
        let key = behind.find(KEYS[0])?;
        let two = self.calls_text(&[call(0, 1, text_arguments), call(1, 1, text_arguments)], format);
        let bracket = behind.chars().next().filter(|c| "({".contains(*c));
        if let Some(bracket) = bracket
            && behind[1..key].is_empty()
        {
            let close = if bracket == '(' { ')' } else { '}' };
            let end = value + one[value..].find(close)? + 1;
            let open = one[..name].trim_end_matches('[');
            let close = one[end..].trim_start_matches(']');
            // Lists stand in a section, calls of their own do not.
            let is_list = open.len() < name;
            let marks = [open, close].map(str::to_owned);
            let none = Pair::default();
            let (section, call) = if is_list { (marks, none) } else { (none, marks) };
            return Some(Calls { section, call, shape: Shape::Literal { bracket } });
        }
        let (shape, end) = match behind[..key].rfind('{') {
            Some(open) if behind[open + 1..key].trim() == "\"" => {
                let end = name + NAMES[0].len() + open;
                let end = end + object_bytes(&one[end..])?;
                let before = &behind[..open];
                let (id, name_end) = match before.find(IDS[0]) {
                    Some(at) => (&before[..at], &before[at + IDS[0].len()..]),
                    None => ("", before),
                };
                (Shape::Named { id: id.to_owned(), name_end: name_end.to_owned() }, end)
            }
            _ => self.tagged(behind, key, &one[value + VALUES[0].len()..], value, format)?,
        };
        let (open, tail) = (&one[..name], &one[end..]);
        let (mut section, call) = split(open, tail, "", two.as_deref());
        // What follows may be the end of the turn.
        section[1] = first_marker(&section[1]).unwrap_or_default().to_owned();
        Some(Calls { section, call, shape })
    }

    /// Markers around arguments: `behind` is what stands between name and value, `tail` what follows the value at `value`.
    /// Also where the arguments end.
    fn tagged(
        &self,
        behind: &str,
        key: usize,
        tail: &str,
        value: usize,
        format: &OutputFormat,
    ) -> Option<(Shape, usize)> {
        let both = self.calls_text(&[call(0, 2, format.text_arguments)], format)?;
        let first = both.find(VALUES[0])? + VALUES[0].len();
        let between = &both[first..first + both[first..].find(KEYS[1])?];
        let value_end = cut_end(&between[..common_prefix(between, tail)]);
        let key_open = &between[value_end.len()..];
        let key_end = &behind[key + KEYS[0].len()..];
        let name_end = behind[..key].strip_suffix(key_open.trim_start())?;
        let key = [key_open, key_end].map(str::to_owned);
        let (name_end, value_end) = (name_end.to_owned(), value_end.to_owned());
        let end = value + VALUES[0].len() + value_end.len();
        let is_marked =
            !value_end.trim().is_empty() && !key[0].trim().is_empty() && !key[1].trim().is_empty();
        is_marked.then_some((Shape::Tagged { name_end, key, value_end }, end))
    }

    /// A call that is a JSON object, alone or in an array.
    fn object(&self, one: &str, format: &OutputFormat) -> Option<Calls> {
        let begins = one.char_indices().filter(|(_, c)| "{[".contains(*c)).map(|(at, _)| at);
        let found = begins.into_iter().find_map(|at| {
            let bytes = object_bytes(&one[at..])?;
            let json: Json = serde_json::from_str(&one[at..at + bytes]).ok()?;
            let is_array = json.is_array();
            let json = if is_array { json.get(0)?.clone() } else { json };
            json.to_string().contains(NAMES[0]).then_some((at, bytes, json, is_array))
        });
        let (at, bytes, json, is_array) = found?;
        let inner = json.get("function").filter(|inner| inner.is_object()).unwrap_or(&json);
        let inner = inner.as_object()?;
        // A name that stands before the object is no part of it.
        let key = |is: &dyn Fn(&Json) -> bool| {
            inner.iter().find(|(_, value)| is(value)).map(|(key, _)| key.clone())
        };
        let name = key(&|value| value == NAMES[0]).unwrap_or_default();
        let arguments = key(&|value| value.to_string().contains(VALUES[0]))?;
        let ids = inner.iter().chain(json.as_object()?).map(|(key, _)| key);
        let id =
            ids.into_iter().find(|key| *key == "id" || key.ends_with("_id")).cloned().unwrap_or("id".into());
        let marks = [&one[..at], &one[at + bytes..]].map(|mark| mark.trim().to_owned());
        let none = Pair::default();
        let (section, call) = if is_array { (marks, none) } else { (none, marks) };
        let shape = Shape::Object { name, arguments, id };
        if is_array || call[0].is_empty() {
            let [open, close] = section;
            let section = [open, first_marker(&close).unwrap_or_default().to_owned()];
            return Some(Calls { section, call, shape });
        }
        let two = [0, 1].map(|which| self::call(which, 1, format.text_arguments));
        let two = self.calls_text(&two, format);
        let (section, call) =
            split(&call[0], &call[1], one[at..].split(NAMES[0]).next().unwrap_or_default(), two.as_deref());
        Some(Calls { section, call, shape })
    }
}

/// Markers around one call, divided into those around all calls and those around each, by a text of two calls. `lead` is what stands
/// between the opening marker and the name.
fn split(open: &str, close: &str, lead: &str, two: Option<&str>) -> (Pair, Pair) {
    let whole = ([String::new(), String::new()], [open.to_owned(), close.to_owned()]);
    let Some(two) = two else { return whole };
    // What stands before the second name, back to where the first call's arguments end.
    let Some(second) = two.rfind(NAMES[1]) else { return whole };
    let before = &two[..second];
    let Some(value) = before.rfind(VALUES[0]) else { return whole };
    let between = &before[value + VALUES[0].len()..];
    let between = match between.strip_suffix(lead) {
        Some(between) if !lead.is_empty() => between.trim_end(),
        _ => between.rfind(open).map_or(between, |at| &between[..at + open.len()]),
    };
    let shared = cut_begin(&open[open.len() - common_suffix(open, between)..]);
    if shared.trim().is_empty() && !open.trim().is_empty() && !between.contains(close.trim()) {
        return ([open.to_owned(), close.to_owned()], Pair::default());
    }
    let section_open = &open[..open.len() - shared.len()];
    if section_open.trim().is_empty() {
        return whole;
    }
    // The call's own closing marker is what stands between two calls as well.
    let ends = close.char_indices().map(|(at, _)| at).chain([close.len()]);
    let own =
        ends.filter(|&at| cut_end(&close[..at]).len() == at && between.contains(close[..at].trim())).max();
    let own = own.unwrap_or(0);
    ([section_open.to_owned(), close[own..].to_owned()], [shared.to_owned(), close[..own].to_owned()])
}

/// A text without reasoning that its template writes even where there is none.
fn without_reasoning<'a>(text: &'a str, format: &OutputFormat) -> &'a str {
    let Some([open, close]) = &format.reasoning else { return text };
    let inner = text.trim_start();
    let inner = inner.strip_prefix(open.trim()).unwrap_or(inner);
    match inner.find(close.trim()) {
        Some(at) if inner[..at].trim().is_empty() => inner[at + close.trim().len()..].trim_start(),
        _ => text,
    }
}

/// The first `<..>` or `[..]`.
fn first_marker(text: &str) -> Option<&str> {
    let begin = text.find(['<', '['])?;
    let close = if text[begin..].starts_with('<') { '>' } else { ']' };
    let end = begin + text[begin..].find(close)? + 1;
    Some(&text[begin..end])
}

/// A prefix without the beginning of a marker at its end.
fn cut_end(text: &str) -> &str {
    match (text.rfind(['<', '[']), text.rfind(['>', ']'])) {
        (Some(open), close) if close.is_none_or(|close| close < open) => &text[..open],
        _ => text,
    }
}

/// A suffix without the end of a marker at its beginning.
fn cut_begin(text: &str) -> &str {
    match (text.find(['<', '[']), text.find(['>', ']'])) {
        (open, Some(close)) if open.is_none_or(|open| close < open) => &text[close + 1..],
        _ => text,
    }
}

fn object_bytes(text: &str) -> Option<usize> {
    match value_bytes(text) {
        Scan::Took((), bytes) => Some(bytes),
        _ => None,
    }
}

fn common_prefix(a: &str, b: &str) -> usize {
    let same = a.chars().zip(b.chars()).take_while(|(a, b)| a == b);
    same.map(|(c, _)| c.len_utf8()).sum()
}

fn common_suffix(a: &str, b: &str) -> usize {
    let same = a.chars().rev().zip(b.chars().rev()).take_while(|(a, b)| a == b);
    same.map(|(c, _)| c.len_utf8()).sum()
}
