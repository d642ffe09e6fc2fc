//! Texts that are written under a format meet it, with the tokenizers of several kinds of models. Formats that are wrong are
//! refused with the code that tells why.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;
#[allow(dead_code)] // Only its loading is used.
#[path = "../../../engine/examples/conformance/files.rs"]
mod files;

use std::cell::RefCell;
use std::path::PathBuf;

use common::{Random, compile, reference, smollm2, tokenizer, vocabulary, walk};
use pith_engine::backend::Device;
use pith_engine::constraint::{Constraint, ConstraintError, Next};
use pith_engine::runtime::{
    Generation, GenerationCounts, GenerationEvent, GenerationOptions, LoadOptions, Overflow,
};
use pith_engine::sampler::SamplerOptions;
use pith_engine::tokenizer::{EncodeOptions, Tokenizer};
use pith_grammar::{DEPTH_MAX, Fault, Format, Matcher, PATTERN_BYTES_MAX, SCHEMA_BYTES_MAX};
use pollster::block_on;
use serde_json::Value;

const SCHEMAS: [&str; 19] = [
    r#"{"type":"object","properties":{"name":{"type":"string","maxLength":12},"age":{"type":"integer","minimum":0,"maximum":150}},"required":["name","age"],"additionalProperties":false}"#,
    r#"{"type":"array","items":{"type":"number","minimum":-1000,"maximum":1000},"minItems":2,"maxItems":4}"#,
    r#"{"enum":["red","green","blue",3,null,{"a":[1]}]}"#,
    r#"{"const":{"a":"a constant that is longer than a token, with ünïcode and \"quotes\"","b":[true,false]}}"#,
    r#"{"type":"object","properties":{"date":{"type":"string","format":"date"},"id":{"type":"string","format":"uuid"}},"required":["date","id"],"additionalProperties":false}"#,
    r#"{"type":"string","pattern":"^[A-Z]{2}-\\d{3}$"}"#,
    r#"{"anyOf":[{"type":"boolean"},{"type":"integer","multipleOf":5,"minimum":0,"maximum":10000},{"type":"string","maxLength":3}]}"#,
    r##"{"$defs":{"node":{"type":"object","properties":{"v":{"type":"integer","maximum":9,"minimum":1},"next":{"anyOf":[{"$ref":"#/$defs/node"},{"type":"null"}]}},"required":["v","next"],"additionalProperties":false}},"$ref":"#/$defs/node"}"##,
    r#"{"type":"object","additionalProperties":{"type":"integer","minimum":0,"maximum":99},"maxProperties":3}"#,
    r#"{"type":["string","null"],"minLength":1,"maxLength":5}"#,
    r#"{"allOf":[{"type":"object","properties":{"a":{"type":"boolean"}},"required":["a"]},{"properties":{"b":{"type":"boolean"}},"required":["b"]}],"additionalProperties":true}"#,
    r#"{"type":"array","prefixItems":[{"const":1},{"type":"string","maxLength":4}],"items":false}"#,
    r#"{"type":"number","exclusiveMinimum":0,"maximum":1}"#,
    r#"{"type":"object"}"#,
    // As Zod writes them.
    r#"{"type":"string","format":"email","pattern":"^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$"}"#,
    r#"{"type":"object","propertyNames":{"type":"string","enum":["a","b"]},"additionalProperties":{"type":"boolean"},"required":["a"]}"#,
    r#"{"type":"object","propertyNames":{"type":"string","pattern":"^[a-z]{1,3}$"},"additionalProperties":{"type":"integer","minimum":0,"maximum":9}}"#,
    r#"{"type":"string","format":"nanoid","pattern":"^[a-zA-Z0-9_-]{21}$"}"#,
    r#"{"type":"object","properties":{"at":{"type":"string","format":"date-time"},"n":{"type":"number","minimum":-3.4028234663852886e+38,"maximum":3.4028234663852886e+38}},"required":["at","n"],"additionalProperties":false}"#,
];

/// Byte-level BPE, SentencePiece with and without a space in front.
fn models() -> Vec<PathBuf> {
    let names =
        ["smollm2.Q8_0.gguf", "llama32.F16.gguf", "gemma3.Q8_0.gguf", "phi3.Q8_0.gguf", "qwen3.Q8_0.gguf"];
    let mut all: Vec<_> = names.iter().map(|name| reference(name)).collect();
    match smollm2() {
        Some(path) => all.push(path),
        None => println!("skipped: SmolLM2-135M-Instruct is not there"),
    }
    all
}

/// `None` for a number beyond those that JSON's readers take: JSON has no limit of its own.
fn parse(text: &str) -> Result<Option<Value>, String> {
    match serde_json::from_str(text) {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.to_string().starts_with("number out of range") => Ok(None),
        Err(error) => Err(format!("{error}: {text}")),
    }
}

fn is_valid(schema: &str, text: &str) -> Result<(), String> {
    let schema: Value = serde_json::from_str(schema).unwrap();
    let Some(value) = parse(text)? else { return Ok(()) };
    let validator = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
    validator.validate(&value).map_err(|error| format!("{error}: {text}"))
}

#[test]
fn walks_over_masks_meet_their_schemas() {
    for path in models() {
        let tokenizer = tokenizer(&path);
        let vocabulary = vocabulary(&tokenizer);
        let (mut complete, mut forced) = (0, 0);
        for schema in SCHEMAS {
            for seed in 1..=6 {
                let mut matcher = compile(&vocabulary, schema);
                let walk = walk(&mut matcher, &tokenizer, &mut Random(seed * 7919), 300).unwrap();
                forced += walk.forced;
                if walk.is_complete {
                    complete += 1;
                    is_valid(schema, &walk.text)
                        .unwrap_or_else(|why| panic!("{}: {schema}: {why}", path.display()));
                }
            }
        }
        println!("{}: {complete} of {} complete, {forced} tokens forced", path.display(), SCHEMAS.len() * 6);
        assert!(complete > SCHEMAS.len() * 3 && forced > 0, "{}: {complete}, {forced}", path.display());
    }
}

/// A model has learned its own tokens of a text, not the longest that fit one after the other.
#[test]
fn forced_tokens_are_those_that_the_tokenizer_writes() {
    let text = r#""The ferry leaves at nine, unless unusually strong winds from the north-west keep it.""#;
    for path in models() {
        let tokenizer = tokenizer(&path);
        let forced = compile(&vocabulary(&tokenizer), &format!(r#"{{"const":{text}}}"#)).forced();
        let own = tokenizer.encode_continuation(text).unwrap();
        // The last may become one with what follows.
        let is_start = own.starts_with(&forced) && forced.len() + 2 > own.len();
        assert!(is_start, "{}: {forced:?}, not {own:?}", path.display());
    }
}

#[test]
fn patterns_and_grammars_are_kept_to() {
    let tokenizer = tokenizer(&reference("smollm2.Q8_0.gguf"));
    let vocabulary = vocabulary(&tokenizer);
    let lark = "start: greeting \" \" name\ngreeting: \"Hello\" | \"Goodbye\"\nname: /[A-Z][a-z]{1,8}/\n";
    let date = |text: &str| {
        let parts: Vec<&str> = text.split('-').collect();
        parts.len() == 3 && parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let greets = |text: &str| text.starts_with("Hello ") || text.starts_with("Goodbye ");
    let is_object = |text: &str| parse(text).is_ok_and(|value| value.is_none_or(|value| value.is_object()));
    type Case<'a> = (Format, &'a str, &'a dyn Fn(&str) -> bool);
    let cases: [Case; 4] = [
        (Format::Regex, r"^\d{4}-\d\d-\d\d$", &date),
        (Format::Regex, "(yes|no)/[ab]", &|text| text.starts_with("yes/") || text.starts_with("no/")),
        (Format::Lark, lark, &greets),
        (Format::Json, "", &is_object),
    ];
    for (format, text, fits) in cases {
        for seed in 1..20 {
            let mut matcher = vocabulary.compile(format, text).unwrap();
            let walk = walk(&mut matcher, &tokenizer, &mut Random(seed * 104_729), 400).unwrap();
            assert!(!walk.is_complete || fits(&walk.text), "{format:?}: {:?}", walk.text);
        }
    }
}

#[test]
fn what_is_no_format_is_refused() {
    let vocabulary = vocabulary(&tokenizer(&reference("smollm2.Q8_0.gguf")));
    let deep =
        format!("{}{}", "{\"items\":".repeat(DEPTH_MAX + 1), "{}".to_owned() + &"}".repeat(DEPTH_MAX + 1));
    let long = format!("{{\"const\":\"{}\"}}", "a".repeat(SCHEMA_BYTES_MAX));
    let wide = "a".repeat(PATTERN_BYTES_MAX + 1);
    let rows: [(Format, &str, &str); 16] = [
        (Format::JsonSchema, "", "bad_format"),
        (Format::JsonSchema, "3", "bad_format"),
        (Format::JsonSchema, "false", "bad_format"),
        (Format::JsonSchema, r#"{"type":"colour"}"#, "bad_format"),
        (Format::JsonSchema, r##"{"$ref":"#/$defs/none"}"##, "bad_format"),
        (Format::JsonSchema, r#"{"type":"integer","minimum":3,"maximum":2}"#, "bad_format"),
        (Format::JsonSchema, r#"{"type":"array","uniqueItems":true}"#, "bad_format"),
        (Format::JsonSchema, &deep, "format_too_complex"),
        (Format::JsonSchema, r#"{"type":"integer","multipleOf":999983}"#, "format_too_complex"),
        (Format::JsonSchema, r#"{"type":"number","multipleOf":1e-10}"#, "format_too_complex"),
        (
            Format::Lark,
            "start: %json { \"type\": \"integer\", \"multipleOf\": 99999989 }",
            "format_too_complex",
        ),
        (Format::JsonSchema, &long, "format_too_complex"),
        (Format::Regex, "(", "bad_format"),
        (Format::Regex, "a(?=b)", "bad_format"),
        (Format::Lark, "start: nothing", "bad_format"),
        (Format::Regex, &wide, "format_too_complex"),
    ];
    for (format, text, code) in rows {
        let shown: String = text.chars().take(60).collect();
        let result = vocabulary.compile(format, text);
        let fault = result.err().unwrap_or_else(|| panic!("{format:?} {shown} is accepted"));
        assert!(fault.to_string().starts_with(code), "{format:?} {shown}: {fault}");
    }
}

/// As the worker's: a matcher as the engine's constraint.
#[derive(Debug)]
struct Held {
    matcher: RefCell<Matcher>,
    forced: Vec<u32>,
    mask: Vec<u32>,
    fault: Option<Fault>,
}

impl Constraint for Held {
    fn allows(&self, id: u32) -> bool {
        self.matcher.borrow_mut().allows(id).unwrap()
    }

    fn accept(&mut self, id: u32) {
        self.fault = self.fault.take().or(self.matcher.get_mut().accept(id).err());
    }

    fn is_complete(&self) -> bool {
        self.fault.is_none() && self.matcher.borrow().is_complete()
    }

    fn has_masks(&self) -> bool {
        true
    }

    fn next(&mut self) -> Result<Next<'_>, ConstraintError> {
        let failed = |fault: Fault| ConstraintError { code: "format_too_complex", detail: fault.to_string() };
        if let Some(fault) = self.fault.clone() {
            return Err(failed(fault));
        }
        self.forced = self.matcher.get_mut().forced();
        if !self.forced.is_empty() {
            return Ok(Next::Forced(&self.forced));
        }
        self.mask = self.matcher.get_mut().mask().map_err(failed)?;
        Ok(Next::Masked(&self.mask))
    }
}

#[test]
fn models_write_what_schemas_ask_for() {
    let device = Device::cpu();
    let mut forced = 0;
    for path in [reference("llama32.F16.gguf"), reference("lfm2.Q8_0.gguf")] {
        let files = [std::fs::read(&path).unwrap()];
        let header = files::read_headers(&files).unwrap();
        let options = LoadOptions { context_tokens: Some(512), ..LoadOptions::default() };
        let mut model = block_on(files::load(&files, &header, &device, &options)).unwrap();
        let own = tokenizer(&path);
        let vocabulary = vocabulary(&own);
        let prompt = own
            .encode("Answer in JSON. Who are you?", EncodeOptions { add_special: true, parse_special: false })
            .unwrap();
        for schema in [SCHEMAS[0], SCHEMAS[3], SCHEMAS[4], SCHEMAS[6], SCHEMAS[11]] {
            for (temperature, logprobs) in [(0.0, None), (1.0, None), (1.0, Some(2))] {
                let held = Held {
                    matcher: RefCell::new(compile(&vocabulary, schema)),
                    forced: Vec::new(),
                    mask: Vec::new(),
                    fault: None,
                };
                let sampling = SamplerOptions { temperature, seed: 11, ..SamplerOptions::default() };
                let options = GenerationOptions {
                    tokens_max: 200,
                    sampling: (temperature > 0.0).then_some(sampling),
                    prompt_lookup: true,
                    overflow: Overflow::Stop,
                    constraint: Some(Box::new(held)),
                    logprobs,
                    written: Vec::new(),
                };
                let (text, is_complete, counts) = generate(&mut model, &own, &prompt, options);
                forced += counts.forced;
                println!("{}: {text}", path.display());
                assert!(logprobs.is_none() || counts.forced == 0);
                if is_complete {
                    is_valid(schema, &text)
                        .unwrap_or_else(|why| panic!("{}: {schema}: {why}", path.display()));
                } else {
                    assert!(schema != SCHEMAS[3], "a constant ends");
                }
            }
        }
    }
    assert!(forced > 50, "{forced}");
}

fn generate(
    model: &mut pith_engine::runtime::Model,
    tokenizer: &Tokenizer,
    prompt: &[u32],
    options: GenerationOptions,
) -> (String, bool, GenerationCounts) {
    let asked = options.logprobs.is_some();
    let mut generation = Generation::begin(model, prompt, options).unwrap();
    let (mut detokenizer, mut text, mut chosen) = (tokenizer.detokenizer(), String::new(), Vec::new());
    let is_complete = 'text: loop {
        match block_on(generation.step(model, &|| 0.0, &mut chosen)).unwrap() {
            GenerationEvent::Read { .. } => {}
            GenerationEvent::Complete => break true,
            GenerationEvent::End => break false,
            GenerationEvent::Chosen => {
                assert_eq!(generation.take_logprobs().len(), if asked { chosen.len() } else { 0 });
                for &id in &chosen {
                    if tokenizer.is_end(id) {
                        break 'text true;
                    }
                    text.push_str(&detokenizer.push(id));
                }
            }
        }
    };
    let counts = generation.counts();
    generation.end(model);
    (text, is_complete, counts)
}
