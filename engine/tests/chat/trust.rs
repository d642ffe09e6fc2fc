//! What a page says stays text; and templates of unknown origin are bounded.

use crate::common::reference_dir;
use pith_engine::chat::{
    ChatError, ChatTemplate, Message, RenderOptions, TemplateSource, TextPart, template_of,
};
use pith_engine::gguf::{Array, HeaderReader, Metadata, Progress, Value};
use pith_engine::tokenizer::{EncodeOptions, Tokenizer};

const PARSED: EncodeOptions = EncodeOptions { add_special: false, parse_special: true };

fn metadata(file: &str) -> Metadata {
    let bytes = std::fs::read(reference_dir().join(file)).unwrap();
    match HeaderReader::new(Some(bytes.len() as u64)).push(&bytes).unwrap() {
        Progress::Done(header) => header.metadata,
        more => panic!("{more:?}"),
    }
}

fn prompt() -> RenderOptions {
    RenderOptions { add_generation_prompt: true, ..RenderOptions::default() }
}

const MODELS: [&str; 6] = [
    "models/qwen2.Q8_0.gguf",
    "models/qwen35.Q8_0.gguf",
    "models/smollm2.Q8_0.gguf",
    "models/llama32.F16.gguf",
    "models/gemma2.Q8_0.gguf",
    "models/phi3.Q8_0.gguf",
];

#[test]
fn an_innocent_conversation_has_the_tokens_of_the_whole_text() {
    for file in MODELS {
        let metadata = metadata(file);
        let tokenizer = Tokenizer::from_metadata(&metadata).unwrap();
        let template = template_of(&metadata, &tokenizer).unwrap();
        assert_eq!(template.source(), TemplateSource::File);
        let messages = [
            Message::new("system", "Be brief."),
            Message::new("user", "  What is in a name? \n"),
            Message::new("assistant", "Hello world,\n\n\tCafé — 你好 🚀"),
            Message::new("user", "and 1 < 2 | 3 > 2, [or] not?"),
        ];
        let rendered = template.render(&messages, &prompt()).unwrap();
        assert!(
            rendered.parts.iter().any(|piece| piece.trusted)
                && rendered.parts.iter().any(|piece| !piece.trusted)
        );
        let mut whole = tokenizer.encode(&rendered.text(), PARSED).unwrap();
        if let Some(bos) = tokenizer.bos().filter(|bos| tokenizer.adds_bos() && whole.first() != Some(bos)) {
            whole.insert(0, bos);
        }
        assert_eq!(tokenizer.encode_parts(&rendered.parts).unwrap(), whole, "{file}");
    }
}

#[test]
fn control_tokens_in_a_page_stay_text() {
    for file in MODELS {
        let metadata = metadata(file);
        let tokenizer = Tokenizer::from_metadata(&metadata).unwrap();
        let template = template_of(&metadata, &tokenizer).unwrap();
        let special = |ids: &[u32]| -> Vec<String> {
            let text = |id: &u32| tokenizer.token_text(*id).unwrap().to_owned();
            let markup = |text: &String| tokenizer.special_texts().any(|special| special == text);
            ids.iter().map(text).filter(markup).collect()
        };
        let tokens = |page: &str| {
            let messages = [Message::new("user", page)];
            let rendered = template.render(&messages, &prompt()).unwrap();
            assert!(rendered.text().contains(page.trim()));
            tokenizer.encode_parts(&rendered.parts).unwrap()
        };
        let expected = special(&tokens("a page"));
        assert!(!expected.is_empty(), "{file}");
        for name in tokenizer.special_texts() {
            for page in [
                format!("x{name}y"),
                name.to_owned(),
                format!("{name}{name}"),
                format!("{}{name}", &name[..1]),
            ] {
                assert_eq!(special(&tokens(&page)), expected, "{file} {page:?}");
                let bytes = tokenizer.decode(&tokens(&page), true);
                assert!(String::from_utf8_lossy(&bytes).contains(&page), "{file} {page:?}");
            }
        }
    }
}

#[test]
fn a_control_token_is_not_made_of_a_template_and_a_page() {
    let metadata = metadata("models/qwen2.Q8_0.gguf");
    let tokenizer = Tokenizer::from_metadata(&metadata).unwrap();
    let piece = |text: &str, trusted| TextPart { text: text.into(), trusted };
    let im_start = tokenizer.token_id("<|im_start|>").unwrap();
    let count = |pieces: &[TextPart]| {
        tokenizer.encode_parts(pieces).unwrap().into_iter().filter(|&id| id == im_start).count()
    };
    assert_eq!(count(&[piece("<|im_", true), piece("start|>", true)]), 1);
    assert_eq!(count(&[piece("<|im_", true), piece("start|>", false)]), 0);
    assert_eq!(count(&[piece("<|im_", false), piece("start|>", true)]), 0);
    assert_eq!(count(&[piece("<|im_", true), piece("start", false), piece("|>", true)]), 0);
    assert_eq!(
        count(&[piece("<|im_start|>", true), piece("<|im_start|>", false), piece("<|im_start|>", true)]),
        2
    );
    assert_eq!(count(&[]), 0);
}

#[test]
fn the_origin_of_text_survives_operations() {
    // What each template makes of the page "AbC, d", with what came from the page in brackets.
    let cases = [
        ("x{{ page }}y", "x[AbC, d]y"),
        ("{{ 'x' + page + 'y' }}", "x[AbC, d]y"),
        ("{{ page | upper | replace('B', '<b>') }}", "[A]<b>[C, D]"),
        ("{{ page.split(', ') | join('|') }}", "[AbC]|[d]"),
        ("{{ ('  ' ~ page ~ ' ') | trim }}", "[AbC, d]"),
        ("{{ ('<' ~ page ~ '>')[1:4] }}", "[AbC]"),
        ("{{ [page, 'z'] | tojson }}", "[\"[AbC, d]\", \"z\"]"),
        ("{{ {'k': page} }}", "{'k': '[AbC, d]'}"),
        ("{{ '%s!' % page }}{{ '<{}>'.format(page) }}", "[AbC, d]!<[AbC, d]>"),
        (
            "{% set ns = namespace(t='') %}{% for c in page %}{% set ns.t = ns.t + c %}{% endfor %}{{ ns.t }}",
            "[AbC, d]",
        ),
        ("{% macro m(t) %}<{{ t }}>{% endmacro %}{{ m(page) }}", "<[AbC, d]>"),
        ("{% set t %}a{{ page }}{% endset %}{{ t | lower }}", "a[abc, d]"),
        ("{% filter upper %}a{{ page }}{% endfilter %}", "A[ABC, D]"),
        ("{{ page * 2 }}{{ page | reverse }}", "[AbC, dAbC, dd ,CbA]"),
        ("{{ page | length }}{{ page == 'AbC, d' }}", "6True"),
        ("{{ page | indent(2, first=true) }}", "  [AbC, d]"),
    ];
    for (template, expected) in cases {
        let template_read = ChatTemplate::new(template, "", "").unwrap();
        let variables = serde_json::json!({ "page": "AbC, d" });
        let rendered = template_read.render_json(variables.as_object().unwrap(), None).unwrap();
        let marked: String = rendered
            .parts
            .iter()
            .map(|piece| if piece.trusted { piece.text.clone() } else { format!("[{}]", piece.text) })
            .collect();
        assert_eq!(marked, expected, "{template}");
    }
}

#[test]
fn a_system_message_is_never_lost() {
    let template = "{% for m in messages %}{% if m.role == 'user' %}<{{ m.content }}>{% elif m.role != 'system' %}{{ raise_exception('no') }}{% endif %}{% endfor %}";
    let template = ChatTemplate::new(template, "", "").unwrap();
    let messages = [Message::new("system", "Be brief."), Message::new("user", "Hi")];
    assert_eq!(template.render(&messages, &prompt()).unwrap().text(), "<Be brief.\nHi>");
    let refused = template.render(&[Message::new("assistant", "Hi")], &prompt()).unwrap_err();
    assert_eq!(
        (refused.code(), refused),
        ("chat_template_refused", ChatError::Refused { message: "no".into() })
    );
}

#[test]
fn models_without_a_template_have_one() {
    for (file, source, expected) in [
        ("models/ministral3.Q8_0.gguf", TemplateSource::Plain, "<s>user: Hi\n\nassistant:"),
        ("real/stories260K-f32.gguf", TemplateSource::Plain, "<s>user: Hi\n\nassistant:"),
    ] {
        let metadata = metadata(file);
        let tokenizer = Tokenizer::from_metadata(&metadata).unwrap();
        let template = template_of(&metadata, &tokenizer).unwrap();
        assert_eq!(template.source(), source);
        assert_eq!(template.render(&[Message::new("user", "Hi")], &prompt()).unwrap().text(), expected);
    }
    let qwen = metadata("models/qwen2.Q8_0.gguf");
    let mut bare = Metadata::default();
    for (key, value) in qwen.iter().filter(|(key, _)| *key != "tokenizer.chat_template") {
        bare.insert(key.to_owned(), value.clone());
    }
    let tokenizer = Tokenizer::from_metadata(&bare).unwrap();
    let template = template_of(&bare, &tokenizer).unwrap();
    assert_eq!(template.source(), TemplateSource::ChatMl);
    let text = template.render(&[Message::new("user", "Hi")], &prompt()).unwrap().text();
    assert_eq!(text, "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n");
    // A template that is there and broken is an error, not a reason to take another.
    bare.insert("tokenizer.chat_template".into(), Value::Str("{% if %}".into()));
    assert_eq!(template_of(&bare, &tokenizer).unwrap_err().code(), "chat_template_syntax");
    assert!(matches!(bare.get("tokenizer.ggml.tokens"), Some(Value::Array(Array::Str(_)))));
}

/// Runs on half the stack that wasm has by default.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(1 << 19).spawn(work).unwrap().join().unwrap();
}

#[test]
fn hostile_templates_are_errors() {
    on_a_small_stack(|| {
        let nested =
            |open: &str, inner: &str, close: &str, n: usize| open.repeat(n) + inner + &close.repeat(n);
        let syntax = [
            "{{".to_owned(),
            "{% for %}".into(),
            "{% if x %}".into(),
            "{# ".into(),
            "{% raw %}".into(),
            "{{ 'a }}".into(),
            "{{ a. }}".into(),
            "{{ a[ }}".into(),
            "{{ 1 + }}".into(),
            "{{ f(a=1, 2) }}".into(),
            "{% endif %}".into(),
            "{% include 'x' %}".into(),
            "{{ 99999999999999999999 }}".into(),
            "{{ \u{1} }}".into(),
            "{%- for a in b recursive %}{% endfor %}".into(),
            format!("{{{{ {} }}}}", nested("(", "1", ")", 5_000)),
            format!("{{{{ {} }}}}", nested("[", "1", "]", 5_000)),
            format!("{{{{ {}1 }}}}", "-".repeat(5_000)),
            format!("{{{{ {}1 }}}}", "not ".repeat(5_000)),
            format!("{{{{ 1{} }}}}", " + 1".repeat(5_000)),
            format!("{{{{ a{} }}}}", ".b".repeat(5_000)),
            format!("{{{{ a{} }}}}", "|upper".repeat(5_000)),
            nested("{% if 1 %}", "", "{% endif %}", 5_000),
            nested("{% for a in b %}", "", "{% endfor %}", 5_000),
            "x".repeat(2 << 20),
        ];
        for template in syntax {
            match ChatTemplate::new(&template, "", "") {
                Err(error) => assert_eq!(error.code(), "chat_template_syntax", "{error}"),
                Ok(_) => panic!("{:?} was read", &template[..template.len().min(60)]),
            }
        }
        let failing = [
            ("{{ x.y }}", "failed"),
            ("{{ 1 / 0 }}", "failed"),
            ("{{ 5 // 0 }}", "failed"),
            ("{{ (-9223372036854775807 - 1) // -1 }}", "failed"),
            ("{{ (-9223372036854775807 - 1) % -1 }}", "failed"),
            ("{{ -(-9223372036854775807 - 1) }}", "failed"),
            ("{{ (-9223372036854775807 - 1) | abs }}", "failed"),
            ("{{ 9223372036854775807 + 1 }}", "failed"),
            ("{{ 2 ** 64 }}", "failed"),
            ("{{ 'a' + 1 }}", "failed"),
            ("{{ 'a' < 1 }}", "failed"),
            ("{{ x() }}", "failed"),
            ("{{ 1 | nosuch }}", "failed"),
            ("{{ 1 is nosuch }}", "failed"),
            ("{{ [1, 'a'] | sort }}", "failed"),
            ("{{ [1][::0] }}", "failed"),
            ("{% set a, b = [1] %}", "failed"),
            ("{{ range(9999999) }}", "limit"),
            ("{{ 'a' * 999999999999 }}", "limit"),
            ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "limit"),
            ("{% set l = [] %}{% set _ = l.append(l) %}{{ l | tojson }}", "limit"),
            ("{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}", "limit"),
            (
                "{% set ns = namespace(s='ab') %}{% for a in range(99) %}{% set ns.s = ns.s + ns.s %}{% endfor %}",
                "limit",
            ),
        ];
        for (template, expected) in failing {
            let error = ChatTemplate::new(template, "", "").unwrap().render(&[], &prompt()).unwrap_err();
            assert_eq!(error.code(), format!("chat_template_{expected}"), "{template}: {error}");
        }
        // Deep but allowed: as deep as can be parsed, run on this stack.
        let deep = format!("{{{{ {} }}}}", nested("[", "1", "]", 40));
        assert_eq!(
            ChatTemplate::new(&deep, "", "").unwrap().render(&[], &prompt()).unwrap().text().len(),
            81
        );
        let cyclic = "{% set l = [] %}{% set _ = l.append(l) %}{{ l }}{{ l == [l] }}";
        assert!(ChatTemplate::new(cyclic, "", "").unwrap().render(&[], &prompt()).is_ok());
        let recursive =
            "{% macro m(n) %}{% if n > 0 %}{{ n }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(12) }}";
        assert_eq!(
            ChatTemplate::new(recursive, "", "").unwrap().render(&[], &prompt()).unwrap().text(),
            "121110987654321"
        );
    });
}

#[test]
fn no_template_panics() {
    // Pieces of the language in random order, on random data: whatever comes out, it comes out as a value.
    let words = [
        "{{",
        "}}",
        "{%",
        "%}",
        "{#",
        "#}",
        "-",
        "+",
        "if ",
        "endif",
        "for ",
        "x",
        " in ",
        "endfor",
        "set ",
        "=",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ":",
        ",",
        ".",
        "|",
        "'",
        "\"",
        "a",
        "messages",
        "0",
        "1.5",
        " is ",
        "upper",
        "tojson",
        "map",
        "sort",
        "indent",
        "not ",
        "and ",
        "loop",
        "namespace",
        "~",
        "*",
        "//",
        "%",
        "<",
        "==",
        " else ",
        "macro ",
        "endmacro",
        "call ",
        "é",
        "\n",
        " ",
        "raise_exception",
        "range",
        "split",
        "format",
        "{}",
        "slice",
        "batch",
        "truncate",
        "int",
        "\\",
        "none",
        "join",
        "items",
    ];
    on_a_small_stack(move || {
        let mut state = 88172645463325252u64;
        let mut next = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let mut read = 0;
        for _ in 0..60_000 {
            let len = 1 + next() as usize % 14;
            let body: String = (0..len).map(|_| words[next() as usize % words.len()]).collect();
            let template = if next() % 2 == 0 { body } else { format!("{{{{ {body} }}}}") };
            if let Ok(template) = ChatTemplate::new(&template, "<s>", "</s>") {
                read += 1;
                let _ = template.render(&[Message::new("user", "a b\nc")], &prompt());
            }
        }
        assert!(read > 1_000, "{read}");
    });
}
