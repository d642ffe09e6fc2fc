//! Several texts side by side are those that a writer writes one after the other, whether or not the device takes their steps
//! together, and go on from a transcript. On the CPU, and on the adapter that is there.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::common;
use crate::devices;
use crate::files;
use pith_engine::backend::Device;
use pith_engine::chat::ChatTemplate;
use pith_engine::digest::{Evidence, Keep, Message, Role, function_words};
use pith_engine::runtime::{LoadOptions, Model};
use pith_engine::tokenizer::Tokenizer;
use pith_engine::writer::{Composed, Task, Transcript, WriteError, Writer};
use pollster::block_on;

const TEXTS: [&str; 4] = [
    "The mill was built in 1761. It has three wheels.",
    "Birds nest in the tower every spring. Nobody lives there.",
    "The toll ended in 1834, when Anna Berg bought the bridge.",
    "It rains often. The river rises by two metres.",
];

struct Language {
    model: Model,
    tokenizer: Tokenizer,
    template: ChatTemplate,
}

impl Language {
    fn open(device: &Device) -> Self {
        let path = common::core_reference_dir().join("models/smollm2.Q8_0.gguf");
        let files = [std::fs::read(path).unwrap()];
        let header = files::read_headers(&files).unwrap();
        let options = LoadOptions { context_tokens: Some(1024), ..LoadOptions::default() };
        let model = block_on(files::load(&files, &header, device, &options)).unwrap();
        let tokenizer = Tokenizer::from_metadata(&header.metadata).unwrap();
        let template = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}assistant:";
        Language { model, tokenizer, template: ChatTemplate::new(template, "", "").unwrap() }
    }

    fn writer<'a>(&'a mut self, transcript: Option<&'a RefCell<Transcript>>) -> Writer<'a> {
        Writer {
            model: &mut self.model,
            tokenizer: &self.tokenizer,
            template: &self.template,
            keep: Keep::Reworded,
            constrained: true,
            transcript,
        }
    }
}

fn messages() -> Vec<Vec<Message>> {
    TEXTS.iter().map(|text| vec![Message { role: Role::User, content: (*text).into() }]).collect()
}

/// Some may use the numbers and names of their source only, others any.
fn tasks(messages: &[Vec<Message>]) -> Vec<Task<'_>> {
    let evidence = |text| Rc::new(Evidence::new([text], function_words("en")));
    messages
        .iter()
        .zip(TEXTS)
        .enumerate()
        .map(|(at, (messages, text))| Task {
            messages,
            evidence: (at % 2 == 0).then(|| evidence(text)),
            language: "en",
            sentences_max: 3,
            tokens_max: [40, 12, 25, 33][at],
            variant: 0,
        })
        .collect()
}

fn one_by_one(language: &mut Language, tasks: &[Task<'_>]) -> Vec<Composed> {
    let mut writer = language.writer(None);
    let mut compose =
        |task: &Task<'_>| block_on(writer.compose(task, &mut |_, _| {}, &|| 0.0, &async || true)).unwrap();
    tasks.iter().map(&mut compose).collect()
}

/// What was written; tokens that another text had read are not counted alike.
fn said(all: &[Composed]) -> Vec<(&[String], usize, usize, bool)> {
    all.iter().map(|one| (&one.sentences[..], one.prompt_tokens, one.tokens, one.cut)).collect()
}

#[test]
fn each_is_what_it_is_alone() {
    for device in devices::cpu_and_webgpu() {
        let (messages, mut language) = (messages(), Language::open(&device));
        let tasks = tasks(&messages);
        let alone = one_by_one(&mut language, &tasks);
        assert!(alone.iter().all(|one| one.tokens > 0));
        let ended = Cell::new(0);
        let all = block_on(language.writer(None).compose_all(
            &tasks,
            &mut || ended.set(ended.get() + 1),
            &|| 0.0,
            &async || true,
        ));
        assert_eq!(said(&all.unwrap()), said(&alone), "{}", device.info().kind);
        assert_eq!(ended.get(), tasks.len());
    }
}

#[test]
fn they_go_on_from_a_transcript() {
    for device in devices::cpu_and_webgpu() {
        let (messages, mut language) = (messages(), Language::open(&device));
        let tasks = tasks(&messages);
        let alone = one_by_one(&mut language, &tasks);
        let transcript = RefCell::new(Transcript::default());
        for turns in 1.. {
            transcript.borrow_mut().restart();
            let left = Cell::new(4 * turns);
            let turn = async || {
                left.set(left.get() - 1);
                left.get() > 0
            };
            let mut writer = language.writer(Some(&transcript));
            match block_on(writer.compose_all(&tasks, &mut || {}, &|| 0.0, &turn)) {
                Err(WriteError::Stopped) => assert!(turns < 100, "it never ends"),
                Err(error) => panic!("{error}"),
                Ok(all) => {
                    // What was in the transcript was not read again.
                    let words = |all: &[Composed]| -> Vec<(Vec<String>, usize)> {
                        all.iter().map(|one| (one.sentences.clone(), one.tokens)).collect()
                    };
                    assert_eq!(words(&all), words(&alone), "{}", device.info().kind);
                    assert!(turns > 1);
                    break;
                }
            }
        }
        let mut again = language.writer(Some(&transcript));
        transcript.borrow_mut().restart();
        let all = block_on(again.compose_all(&tasks, &mut || {}, &|| 0.0, &async || true)).unwrap();
        assert!(all.iter().all(|one| one.prompt_tokens == 0), "nothing is asked of the model");
    }
}
