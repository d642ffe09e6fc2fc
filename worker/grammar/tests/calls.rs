//! Answers under the grammar of tool calls are calls that the parser of answers takes, with arguments that meet the tools' schemas: for
//! every form that templates have, with markers that are control tokens and with markers that are text.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;
#[path = "../../../engine/chat/tests/forms/mod.rs"]
mod forms;

use common::Random;
use forms::*;
use pith_engine::chat::{CallRules, ChatTemplate, OutputEvent, OutputFormat, OutputParser, Tool};
use pith_grammar::{Fault, Format, Matcher, Vocabulary};
use serde_json::{Value, json};

/// Bytes, a few longer pieces that markers and JSON share, an end, and control tokens.
struct Tokens {
    pieces: Vec<Vec<u8>>,
    control: Vec<&'static str>,
}

const END: &str = "<end>";
const LONGER: [&str; 9] = ["\": ", "{\"", "\"}", ">\n", "<t", "name", "\n</", ", \"", "=\""];
const CONTROL: [&str; 27] = [
    END,
    "<tool_call>",
    "</tool_call>",
    "[TOOL_CALLS]",
    "[ARGS]",
    "[THINK]",
    "[/THINK]",
    "<|tool_call_start|>",
    "<|tool_call_end|>",
    "<|tool_call>",
    "<tool_call|>",
    "<|\"|>",
    "<|START_THINKING|>",
    "<|END_THINKING|>",
    "<|START_ACTION|>",
    "<|END_ACTION|>",
    "<|START_RESPONSE|>",
    "<think>",
    "</think>",
    "<｜tool▁calls▁begin｜>",
    "<｜tool▁call▁end｜>",
    "<|channel|>",
    "<|message|>",
    "<|start|>",
    "<|end|>",
    "<|tool_calls_section_begin|>",
    "<|tool_call_argument_begin|>",
];

impl Tokens {
    /// Where markers are text, the end is the only control token.
    fn new(has_control: bool) -> Self {
        let bytes = (0..=255).map(|byte| vec![byte]);
        let longer = LONGER.iter().map(|piece| piece.as_bytes().to_vec());
        let control = if has_control { CONTROL.to_vec() } else { vec![END] };
        Tokens { pieces: bytes.chain(longer).collect(), control }
    }

    fn end(&self) -> u32 {
        self.pieces.len() as u32
    }

    fn len(&self) -> usize {
        self.pieces.len() + self.control.len()
    }

    fn vocabulary(&self) -> Vocabulary {
        let mut lens: Vec<u32> = self.pieces.iter().map(|piece| piece.len() as u32).collect();
        lens.extend(vec![0; self.control.len()]);
        let own = Tokens { pieces: self.pieces.clone(), control: Vec::new() };
        let tokenize = Box::new(move |text: &str| own.encode(text));
        Vocabulary::new(&self.pieces.concat(), &lens, &[self.end()], tokenize).unwrap()
    }

    /// Control tokens by their names, and the longest pieces between them.
    fn encode(&self, text: &str) -> Vec<u32> {
        let (mut ids, mut rest) = (Vec::new(), text.as_bytes());
        while !rest.is_empty() {
            let controls = self.control.iter().enumerate();
            let found = controls.filter_map(|(at, name)| {
                let begin = rest.windows(name.len()).position(|part| part == name.as_bytes())?;
                Some((begin, usize::MAX - name.len(), at))
            });
            let (begin, _, at) = found.min().unwrap_or((rest.len(), 0, 0));
            if begin == 0 {
                ids.push(self.end() + at as u32);
                rest = &rest[self.control[at].len()..];
                continue;
            }
            let starts = (0..self.pieces.len()).filter(|&id| rest[..begin].starts_with(&self.pieces[id]));
            let id = starts.max_by_key(|&id| self.pieces[id].len()).unwrap();
            ids.push(id as u32);
            rest = &rest[self.pieces[id].len()..];
        }
        ids
    }

    /// As the worker shows it to the parser.
    fn text(&self, id: u32) -> Vec<u8> {
        let at = id as usize;
        match self.pieces.get(at) {
            Some(piece) => piece.clone(),
            None => self.control[at - self.pieces.len()].into(),
        }
    }
}

fn tools() -> Vec<Tool> {
    let weather = json!({
        "type": "object",
        "properties": {
            "city": { "type": "string", "maxLength": 5 },
            "unit": { "type": "string", "enum": ["C", "F"] },
            "days": { "type": "integer", "minimum": 0, "maximum": 20 },
        },
        "required": ["city", "days"],
        "additionalProperties": false,
    });
    let time = json!({ "type": "object", "properties": { "utc": { "type": "boolean" } }, "required": ["utc"], "additionalProperties": false });
    [("weather", weather), ("time", time)]
        .map(|(name, parameters)| Tool { name: name.into(), parameters })
        .into()
}

/// Forms: a template, and whether calls stand between markers.
fn forms() -> Vec<(&'static str, String)> {
    let mut all: Vec<_> = [
        ("Hermes", HERMES),
        ("Qwen coder", CODER),
        ("Mistral Nemo", NEMO),
        ("Ministral", MINISTRAL),
        ("LFM2", LFM),
        ("Gemma", GEMMA),
        ("Command R", COMMAND),
        ("GLM", GLM),
        ("DeepSeek", DEEPSEEK),
        ("Llama", LLAMA),
        ("harmony", HARMONY),
        ("MiniMax M3", MINIMAX),
        ("Kimi K3", KIMI),
    ]
    .map(|(name, body)| (name, template(body)))
    .into();
    // Families that are known by strings in their templates.
    let signs = [
        ("Kimi K2", "<|tool_calls_section_begin|><|tool_call_argument_begin|>"),
        ("Functionary", "<function=example_function_name>has_code_interpreter"),
        ("Granite", "<|tool_call|><|end_of_role|>Write your thoughts"),
        ("DeepSeek R1", "<｜tool▁calls▁begin｜>```json"),
        ("Llama 3", "\"parameters\": dictionary of argument name and its value"),
    ];
    all.extend(signs.map(|(name, sign)| {
        (name, template(&format!("{{% if false %}}{sign}{{% endif %}}{{{{ message.content }}}}")))
    }));
    all
}

#[derive(Clone, Copy, Default)]
struct Asked<'a> {
    must: Option<&'a [String]>,
    strict: &'a [&'a str],
    single: bool,
    begun: bool,
}

fn compile(
    tokens: &Tokens,
    vocabulary: &Vocabulary,
    format: &OutputFormat,
    tools: &[Tool],
    asked: Asked,
) -> Result<Matcher, Fault> {
    let Asked { must, strict, single, begun } = asked;
    let rules = CallRules { tools, strict, must, single, begun, thinks: true };
    let id_of = |text: &str| {
        let at = tokens.control.iter().position(|name| *name == text)?;
        Some((tokens.pieces.len() + at) as u32)
    };
    let order = format.constraint(&rules, &mut tokens.control.iter().copied(), &id_of);
    vocabulary.compile(Format::ToolCalls, &order)
}

struct Parsed {
    content: String,
    calls: Vec<(String, Value)>,
}

fn parse(format: &OutputFormat, text: &str, begun: bool) -> Parsed {
    let mut parser = OutputParser::new(format, if begun { "<think>" } else { "" }, tools(), true);
    let mut events = parser.push(text);
    events.extend(parser.finish());
    let (mut content, mut calls) = (String::new(), Vec::<(String, String)>::new());
    for event in events {
        match event {
            OutputEvent::Content(text) => content += &text,
            OutputEvent::CallBegin { name, .. } => calls.push((name, String::new())),
            OutputEvent::Arguments { delta, .. } => calls.last_mut().unwrap().1 += &delta,
            OutputEvent::Reasoning(_) | OutputEvent::CallEnd { .. } => {}
        }
    }
    let calls = calls.into_iter().map(|(name, text)| (name, serde_json::from_str(&text).unwrap()));
    Parsed { content, calls: calls.collect() }
}

/// A text of tokens drawn from the masks, and whether it came to an end. Control tokens are preferred: they lead out of texts.
fn walk(matcher: &mut Matcher, tokens: &Tokens, random: &mut Random) -> (String, bool) {
    let mut bytes = Vec::new();
    for _ in 0..700 {
        if matcher.is_complete() {
            return (String::from_utf8_lossy(&bytes).into_owned(), true);
        }
        for id in matcher.forced() {
            assert!(matcher.allows(id).unwrap(), "a forced token is not allowed");
            matcher.accept(id).unwrap();
            bytes.extend(tokens.text(id));
        }
        if matcher.is_complete() {
            continue;
        }
        let mask = matcher.mask().unwrap();
        let allowed: Vec<u32> =
            (0..tokens.len() as u32).filter(|&id| mask[id as usize / 32] >> (id % 32) & 1 == 1).collect();
        let control: Vec<u32> = allowed.iter().copied().filter(|&id| id >= tokens.end()).collect();
        let from = if !control.is_empty() && random.below(4) == 0 { &control } else { &allowed };
        let id = from[random.below(from.len())];
        matcher.accept(id).unwrap();
        if id == tokens.end() {
            return (String::from_utf8_lossy(&bytes).into_owned(), true);
        }
        bytes.extend(tokens.text(id));
    }
    (String::from_utf8_lossy(&bytes).into_owned(), false)
}

/// Takes a text token by token: how many bytes of it were allowed, and whether it may end there.
fn follow(matcher: &mut Matcher, tokens: &Tokens, text: &str) -> (usize, bool) {
    let mut taken = 0;
    for id in tokens.encode(text) {
        if !matcher.allows(id).unwrap() {
            return (taken, false);
        }
        matcher.accept(id).unwrap();
        taken += tokens.text(id).len();
    }
    (taken, matcher.is_complete() || matcher.allows(tokens.end()).unwrap())
}

fn meets(name: &str, arguments: &Value) -> bool {
    let tools = tools();
    let tool = tools.iter().find(|tool| tool.name == name).unwrap();
    jsonschema::validator_for(&tool.parameters).unwrap().is_valid(arguments)
}

#[test]
fn what_has_to_be_called_is_called() {
    let all: Vec<String> = tools().into_iter().map(|tool| tool.name).collect();
    for has_control in [true, false] {
        let tokens = Tokens::new(has_control);
        let vocabulary = tokens.vocabulary();
        // Channels are control tokens in any case.
        for (name, source) in forms().into_iter().filter(|(name, _)| has_control || *name != "harmony") {
            let template = ChatTemplate::new(&source, "<s>", "</s>").unwrap();
            let format = template.output_format();
            let (mut ended, mut many) = (0, 0);
            for seed in 1..=24 {
                let single = seed % 3 == 0;
                let must = if seed % 2 == 0 { &all[..] } else { &all[1..] };
                let asked = Asked { must: Some(must), single, ..Asked::default() };
                let mut matcher = compile(&tokens, &vocabulary, format, &tools(), asked)
                    .unwrap_or_else(|fault| panic!("{name}: {fault}"));
                let (text, is_whole) = walk(&mut matcher, &tokens, &mut Random(seed * 7919));
                if !is_whole {
                    continue;
                }
                ended += 1;
                let parsed = parse(format, &text, false);
                assert_eq!(parsed.content.trim(), "", "{name}: {text:?} has text beside calls");
                assert!(!parsed.calls.is_empty(), "{name}: {text:?} is no call");
                assert!(!single || parsed.calls.len() == 1, "{name}: {text:?}");
                many += usize::from(parsed.calls.len() > 1);
                for (called, arguments) in &parsed.calls {
                    assert!(must.contains(called), "{name}: {text:?}");
                    assert!(meets(called, arguments), "{name}: {text:?}: {arguments}");
                }
            }
            println!("{name}, control tokens {has_control}: {ended} of 24 ended, {many} with several calls");
            assert!(ended >= 6, "{name}, {has_control}: {ended}");
        }
    }
}

/// An answer with a call of `weather` in each form, of which `%` stands for the city.
const ANSWERS: [(&str, &str); 16] = [
    (
        "Hermes",
        "<tool_call>\n{\"name\": \"weather\", \"arguments\": {\"city\": \"%\", \"days\": 3}}\n</tool_call>",
    ),
    (
        "Qwen coder",
        "<tool_call>\n<function=weather>\n<parameter=city>\n%\n</parameter>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>",
    ),
    (
        "Mistral Nemo",
        "[TOOL_CALLS][{\"name\": \"weather\", \"arguments\": {\"city\": \"%\", \"days\": 3}, \"id\": \"123456789\"}]",
    ),
    ("Ministral", "[TOOL_CALLS]weather[ARGS]{\"city\": \"%\", \"days\": 3}"),
    ("LFM2", "<|tool_call_start|>[weather(city=\"%\", days=3)]<|tool_call_end|>"),
    ("Gemma", "<|tool_call>call:weather{city:<|\"|>%<|\"|>,days:3}<tool_call|>"),
    (
        "Command R",
        "<|START_ACTION|>[\n{\"tool_call_id\": \"0\", \"tool_name\": \"weather\", \"parameters\": {\"city\": \"%\", \"days\": 3}}\n]<|END_ACTION|>",
    ),
    (
        "GLM",
        "<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>%</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n</tool_call>",
    ),
    (
        "DeepSeek",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>weather<｜tool▁sep｜>{\"city\": \"%\", \"days\": 3}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    ),
    ("Llama", "{\"name\": \"weather\", \"parameters\": {\"city\": \"%\", \"days\": 3}}"),
    (
        "harmony",
        "<|channel|>commentary to=functions.weather <|constrain|>json<|message|>{\"city\": \"%\", \"days\": 3}",
    ),
    (
        "Kimi K2",
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.weather:0<|tool_call_argument_begin|>{\"city\": \"%\", \"days\": 3}\
         <|tool_call_end|><|tool_calls_section_end|>",
    ),
    ("Functionary", "<function=weather>{\"city\": \"%\", \"days\": 3}</function>"),
    ("Granite", "<|tool_call|>[{\"name\": \"weather\", \"arguments\": {\"city\": \"%\", \"days\": 3}}]"),
    (
        "DeepSeek R1",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>weather\n```json\n{\"city\": \"%\", \"days\": 3}\n```\
         <｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    ),
    ("Llama 3", "{\"name\": \"weather\", \"parameters\": {\"city\": \"%\", \"days\": 3}}"),
];

#[test]
fn answers_as_models_write_them_are_allowed_and_others_are_not() {
    let all: Vec<String> = tools().into_iter().map(|tool| tool.name).collect();
    let forms = forms();
    for has_control in [true, false] {
        let tokens = Tokens::new(has_control);
        let vocabulary = tokens.vocabulary();
        for (name, answer) in ANSWERS.into_iter().filter(|(name, _)| has_control || *name != "harmony") {
            let source = &forms.iter().find(|(form, _)| *form == name).unwrap().1;
            let template = ChatTemplate::new(source, "<s>", "</s>").unwrap();
            let format = template.output_format();
            let check = |asked: Asked, before: &str, city: &str, is_allowed: bool| {
                let text = format!("{before}{}", answer.replace('%', city));
                let mut matcher = compile(&tokens, &vocabulary, format, &tools(), asked).unwrap();
                let (taken, is_whole) = follow(&mut matcher, &tokens, &text);
                let context = format!(
                    "{name}, control tokens {has_control}: {:?} of {text:?}, {is_whole}",
                    &text[..text.floor_char_boundary(taken)]
                );
                assert_eq!(is_whole && taken == text.len(), is_allowed, "{context}");
                if is_allowed {
                    let parsed = parse(format, &text, asked.begun);
                    assert_eq!(
                        parsed.calls,
                        [("weather".into(), json!({ "city": city, "days": 3 }))],
                        "{context}"
                    );
                }
            };
            let named = ["weather".to_owned()];
            let other = ["time".to_owned()];
            let must = |names| Asked { must: Some(names), ..Asked::default() };
            check(must(&all), "", "Rome", true);
            check(must(&named), "", "Rome", true);
            check(must(&named), "", "Athens", false);
            check(must(&other), "", "Rome", false);
            let strict = Asked { strict: &["weather"], ..Asked::default() };
            check(strict, "", "Rome", true);
            check(strict, "", "Athens", false);
            // A tool that is not strict takes any arguments beside one that is.
            let loose = Asked { strict: &["time"], ..Asked::default() };
            check(loose, "", "Athens", true);
            // An answer may be a text, unless a call has to be made.
            let texts: &[&str] = match name {
                "harmony" => &["<|channel|>final<|message|>It is warm."],
                _ => &["It is warm. 1 < 2, [a]: {b}.", ""],
            };
            for text in texts {
                for (asked, is_allowed) in [(strict, true), (must(&all), false)] {
                    let mut matcher = compile(&tokens, &vocabulary, format, &tools(), asked).unwrap();
                    let (taken, is_whole) = follow(&mut matcher, &tokens, text);
                    assert_eq!(
                        is_whole && taken == text.len(),
                        is_allowed,
                        "{name}, {has_control}: {text:?}"
                    );
                }
            }
            // A text before the call, and a thought, where the form has them.
            let is_bare = name.starts_with("Llama");
            if !is_bare && name != "harmony" {
                check(strict, "One moment.\n", "Rome", true);
                check(strict, "One moment.\n", "Athens", false);
            }
            let thought = match name {
                "GLM" => "<think>Hm, {a}?</think>\n",
                "Ministral" => "[THINK]Hm.[/THINK]",
                "Command R" => "<|START_THINKING|>Hm.<|END_THINKING|>",
                "harmony" => "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant",
                _ => continue,
            };
            for asked in [must(&all), strict] {
                check(asked, thought, "Rome", true);
                check(asked, thought, "Athens", false);
            }
            if name == "GLM" {
                let begun = Asked { begun: true, ..must(&named) };
                check(begun, "Hm.\n</think>\n\n", "Rome", true);
                check(begun, "", "Rome", false);
            }
        }
    }
}

/// A marker that is a control token cannot be spelled: the parser of answers would take it for one.
#[test]
fn markers_are_not_spelled() {
    let tokens = Tokens::new(true);
    let vocabulary = tokens.vocabulary();
    for (body, mark) in [(HERMES, "<tool_call>"), (MINISTRAL, "[TOOL_CALLS]"), (HARMONY, "<|message|>")] {
        let template = ChatTemplate::new(&template(body), "<s>", "</s>").unwrap();
        let asked = Asked { strict: &["weather"], ..Asked::default() };
        let mut matcher = compile(&tokens, &vocabulary, template.output_format(), &tools(), asked).unwrap();
        if body == HARMONY {
            assert_eq!(follow(&mut matcher, &tokens, "<|channel|>final<|message|>").0, 27);
        }
        for byte in mark.bytes().take(mark.len() - 1) {
            matcher.accept(u32::from(byte)).unwrap();
        }
        assert!(!matcher.allows(u32::from(b'>')).unwrap() || !mark.ends_with('>'), "{mark}");
        assert!(!matcher.allows(u32::from(b']')).unwrap() || !mark.ends_with(']'), "{mark}");
    }
}

/// With the tokenizers of several kinds of models, of which some have a marker as a token.
#[test]
fn other_tokenizers_call_too() {
    let all: Vec<String> = tools().into_iter().map(|tool| tool.name).collect();
    let files = [
        "smollm2.Q8_0.gguf",
        "llama32.F16.gguf",
        "gemma3.Q8_0.gguf",
        "phi3.Q8_0.gguf",
        "qwen3.Q8_0.gguf",
        "lfm2.Q8_0.gguf",
    ];
    let mut walked = Vec::new();
    for (name, body) in
        files.into_iter().flat_map(|name| [HERMES, MINISTRAL, LFM, GLM].map(|body| (name, body)))
    {
        let tokenizer = common::tokenizer(&common::reference(name));
        let template = ChatTemplate::new(&template(body), "<s>", "</s>").unwrap();
        let format = template.output_format();
        let vocabulary = common::vocabulary(&tokenizer);
        let tools = tools();
        let rules = CallRules {
            tools: &tools,
            strict: &[],
            must: Some(&all),
            single: true,
            begun: false,
            thinks: false,
        };
        let id_of = |text: &str| tokenizer.token_id(text);
        let order = format.constraint(&rules, &mut tokenizer.special_texts(), &id_of);
        let mut ended = 0;
        for seed in 1..=8 {
            let mut matcher = vocabulary.compile(Format::ToolCalls, &order).unwrap();
            let mut random = Random(seed * 7919);
            let (mut detokenizer, mut text) = (tokenizer.detokenizer().with_special(), String::new());
            for _ in 0..400 {
                let mut ids = matcher.forced();
                if ids.is_empty() && !matcher.is_complete() {
                    let mask = matcher.mask().unwrap();
                    let allowed = (0..tokenizer.vocab_len() as u32)
                        .filter(|id| mask[*id as usize / 32] >> (id % 32) & 1 == 1);
                    let allowed: Vec<u32> = allowed.collect();
                    ids.push(allowed[random.below(allowed.len())]);
                }
                for &id in &ids {
                    matcher.accept(id).unwrap();
                    text += &detokenizer.push(id);
                }
                if matcher.is_complete() || ids.iter().any(|id| tokenizer.is_end(*id)) {
                    ended += 1;
                    let parsed = parse(format, &text, false);
                    assert_eq!(parsed.calls.len(), 1, "{name}: {text:?}");
                    assert!(meets(&parsed.calls[0].0, &parsed.calls[0].1), "{name}: {text:?}");
                    break;
                }
            }
        }
        walked.push(format!("{name} {ended}"));
        assert!(ended > 0, "{name}");
    }
    println!("of 8 walks each ended: {}", walked.join(", "));
}

#[test]
fn schemas_that_a_form_cannot_be_held_to_are_refused() {
    let tokens = Tokens::new(true);
    let vocabulary = tokens.vocabulary();
    let unique = json!({ "type": "object", "properties": { "a": { "type": "array", "uniqueItems": true } } });
    let pattern = json!({ "type": "object", "properties": { "a": { "type": "string", "pattern": "^a+$" } } });
    let either = json!({ "type": "object", "properties": { "a": {} }, "minProperties": 1 });
    let missing = json!({ "type": "object", "required": ["b"] });
    let text = json!({ "type": "string" });
    let rows: [(&str, &Value, Option<&str>); 9] = [
        (HERMES, &unique, Some("the parameters of f")),
        (HERMES, &pattern, None),
        (HERMES, &text, Some("no object")),
        (CODER, &unique, Some("the parameters of f")),
        (CODER, &pattern, Some("\"pattern\" of \"a\"")),
        (CODER, &either, Some("\"minProperties\"")),
        (GEMMA, &pattern, Some("\"pattern\" of \"a\"")),
        (LFM, &pattern, None),
        (LFM, &missing, Some("\"b\" is required")),
    ];
    for (body, schema, wanted) in rows {
        let template = ChatTemplate::new(&template(body), "<s>", "</s>").unwrap();
        let tools = [Tool { name: "f".into(), parameters: schema.clone() }];
        let asked = Asked { strict: &["f"], ..Asked::default() };
        let result = compile(&tokens, &vocabulary, template.output_format(), &tools, asked);
        match (result, wanted) {
            (Ok(_), None) => {}
            (Err(fault), Some(wanted)) => {
                let fault = fault.to_string();
                assert!(fault.starts_with("bad_format: ") && fault.contains(wanted), "{schema}: {fault}");
            }
            (result, _) => panic!("{body}: {schema}: {:?}", result.map(|_| ())),
        }
    }
    for order in ["{}", "[]", "[\"\"]", "[\"\", \"9\"]", "[\"must \", \"0\", \"0\", \"f\", \"{\"]"] {
        assert!(vocabulary.compile(Format::ToolCalls, order).is_err(), "{order}");
    }
    let plain = Tokens::new(false);
    let template = ChatTemplate::new(&template(HARMONY), "<s>", "</s>").unwrap();
    let asked = Asked { strict: &["time"], ..Asked::default() };
    let result = compile(&plain, &plain.vocabulary(), template.output_format(), &tools(), asked);
    assert!(result.is_err_and(|fault| fault.to_string().contains("no control tokens")));
}
