//! Pages that attack: instructions, the control tokens of 24 families of chat templates in many disguises, fake fences, fake
//! citations, links and images, confusable letters, direction marks. No attack, wherever it stands, gives the model a control
//! token or ends the fence around the page; what a model says after reading it cites only passages that there are.

use std::collections::BTreeSet;

use crate::attacking::{NONCE, attacks};
use crate::common;
use crate::digesting;
use pith_engine::chat::{ChatTemplate, Message, RenderOptions, template_of};
use pith_engine::digest::{self, Block, BlockKind, Digest, Limits, Page, SummaryTask, parse_citations};
use pith_engine::gguf::Metadata;
use pith_engine::tokenizer::Tokenizer;

fn page_of(title: &str, texts: &[&str]) -> Digest {
    // Names of people are as much the page's as its title.
    let speaker = Some(title.to_owned());
    let blocks = texts
        .iter()
        .map(|&text| Block { speaker: speaker.clone(), ..Block::new(BlockKind::Paragraph, text) });
    let page = Page {
        title: title.into(),
        description: Some(title.into()),
        language: Some("en".into()),
        blocks: blocks.collect(),
        ..Page::default()
    };
    digesting::digest(&page, &Limits::default()).unwrap()
}

/// Everything that a model can be asked about a page.
fn prompts(digest: &Digest, question: &str, notes: &[String]) -> [Vec<digest::Message>; 3] {
    let context = digest.prompt_context(NONCE).unwrap();
    let passages = digest.numbered_passages();
    [
        context.summarize(&passages, SummaryTask::KeyPoints(5)),
        context.answer(question, &[], &passages),
        context.merge(notes, SummaryTask::Tldr),
    ]
}

/// Models with templates and control tokens of their own.
fn models() -> Vec<(String, Tokenizer, ChatTemplate)> {
    let mut models = Vec::new();
    for path in common::files_with_extension(&common::core_reference_dir().join("models"), "gguf") {
        let bytes = std::fs::read(&path).unwrap();
        let metadata: Metadata = common::gguf_builder::read(&bytes, Some(bytes.len() as u64)).metadata;
        let Ok(tokenizer) = Tokenizer::from_metadata(&metadata) else { continue };
        let Ok(template) = template_of(&metadata, &tokenizer) else { continue };
        models.push((path.file_stem().unwrap().to_string_lossy().into_owned(), tokenizer, template));
    }
    assert!(models.len() >= 15, "only {} models", models.len());
    models
}

/// The control tokens of a prompt, in order.
fn control(tokenizer: &Tokenizer, template: &ChatTemplate, messages: &[digest::Message]) -> Vec<String> {
    let joined = messages.iter().map(|m| m.content.as_str()).collect::<Vec<_>>().join("\n\n");
    let messages: Vec<Message> = messages.iter().map(|m| Message::new(m.role.name(), &m.content)).collect();
    let options = RenderOptions { add_generation_prompt: true, ..RenderOptions::default() };
    // Some templates know no system role: their callers put it before the first message.
    let rendered = template
        .render(&messages, &options)
        .or_else(|_| template.render(&[Message::new("user", &joined)], &options));
    let ids = tokenizer.encode_parts(&rendered.unwrap().parts).unwrap();
    let special: BTreeSet<&str> = tokenizer.special_texts().collect();
    let texts = ids.iter().filter_map(|id| tokenizer.token_text(*id));
    // A letter that a vocabulary does not have is no command.
    texts
        .filter(|text| special.contains(text) && !["<unk>", "[UNK]"].contains(text))
        .map(str::to_owned)
        .collect()
}

const INNOCENT: &str =
    "The mill by the river was built in 1840 and still grinds flour for the village today.";

#[test]
fn no_attack_gives_a_model_a_control_token_or_ends_the_fence() {
    let (attacks, models) = (attacks(), models());
    assert!(attacks.len() >= 200, "{} attacks", attacks.len());
    let innocent =
        prompts(&page_of("A mill", &[INNOCENT]), "When was it built?", &["It was built in 1840. [1]".into()]);
    let expected: Vec<Vec<Vec<String>>> = models
        .iter()
        .map(|(_, tokenizer, template)| innocent.iter().map(|p| control(tokenizer, template, p)).collect())
        .collect();
    for attack in &attacks {
        // As text, as the title and the description, as the question, as what a model noted of a part.
        let digest = page_of(attack, &[INNOCENT, attack, INNOCENT]);
        for (kind, messages) in prompts(&digest, attack, std::slice::from_ref(attack)).iter().enumerate() {
            let user = &messages[1].content;
            let (begin, end) = (format!("BEGIN PAGE {NONCE}\n"), format!("\nEND PAGE {NONCE}\n"));
            assert_eq!(user.matches(NONCE).count(), 2, "{attack:?}");
            assert!(user.starts_with(&begin) && user.contains(&end), "{attack:?}");
            for ((name, tokenizer, template), expected) in models.iter().zip(&expected) {
                assert_eq!(control(tokenizer, template, messages), expected[kind], "{name}: {attack:?}");
            }
        }
    }
    println!("{} attacks on {} models", attacks.len(), models.len());
}

#[test]
fn what_a_model_repeats_of_an_attack_cites_only_what_there_is() {
    let digest = page_of(
        "A mill",
        &[INNOCENT, "It has two stones, and the miller's family lives above them to this day."],
    );
    let passages = digest.numbered_passages();
    for attack in attacks() {
        for output in [attack.clone(), format!("- {attack} [1]"), format!("{attack}\n[1][2][3][40]")] {
            for line in parse_citations(&output, &passages) {
                let mut seen = BTreeSet::new();
                assert!(line.passages.iter().all(|&at| at < passages.len() && seen.insert(at)), "{output:?}");
                assert!(line.text.len() <= output.len());
            }
        }
    }
}
