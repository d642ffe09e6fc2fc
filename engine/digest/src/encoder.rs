//! What is known of embedding models. Cosines of one model mean nothing on another's scale.

/// How close the best sentence must be to a question that a page of a hundred sentences answers, for each model by its `general.name`.
/// What closeness is, and what longer pages need, stands in ranking.rs.
const ANSWERED_COSINES: &[(&str, f32)] = &[
    // What the weights of answered.rs were fitted with.
    ("all-MiniLM-L6-v2", 0.51),
];

/// For a model that was not calibrated. Most sentence encoders place unrelated texts higher than MiniLM does.
const ANSWERED_COSINE_DEFAULT: f32 = 0.54;

/// How close the best sentence must be to a question that the page answers, for the model of this name.
#[must_use]
pub fn answered_cosine(model: &str) -> f32 {
    let known = ANSWERED_COSINES.iter().find(|(name, _)| *name == model);
    known.map_or(ANSWERED_COSINE_DEFAULT, |(_, cosine)| *cosine)
}

/// What an embedding model wants before a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prefixes {
    /// Before a question.
    pub question: &'static str,
    /// Before a sentence, a title or a block of a page.
    pub passage: &'static str,
}

const NO_PREFIXES: Prefixes = Prefixes { question: "", passage: "" };
const SENTENCE_SEARCH: Prefixes =
    Prefixes { question: "Represent this sentence for searching relevant passages: ", passage: "" };

/// The model cards' own words, by words that stand beside each other in the model's name; the first that fits counts.
const PREFIXES: &[(&str, Prefixes)] = &[
    ("e5", Prefixes { question: "query: ", passage: "passage: " }),
    (
        "embeddinggemma",
        Prefixes { question: "task: search result | query: ", passage: "title: none | text: " },
    ),
    ("nomic embed", Prefixes { question: "search_query: ", passage: "search_document: " }),
    (
        "qwen3 embedding",
        Prefixes {
            question: "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:",
            passage: "",
        },
    ),
    ("arctic embed m v2 0", Prefixes { question: "query: ", passage: "" }),
    ("arctic embed l v2 0", Prefixes { question: "query: ", passage: "" }),
    ("arctic embed", SENTENCE_SEARCH),
    ("bge small en", SENTENCE_SEARCH),
    ("bge base en", SENTENCE_SEARCH),
    ("bge large en", SENTENCE_SEARCH),
    ("mxbai embed", SENTENCE_SEARCH),
];

/// What the model of this name was trained to see before questions and passages; nothing where it is not known. A question
/// with a passage's mark, or none, is compared badly by a model that was trained with marks.
#[must_use]
pub fn prefixes(model: &str) -> Prefixes {
    let words = |text: &str| {
        let lower = text.to_lowercase();
        let mut words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.by_ref().fold(String::from(" "), |all, word| all + word + " ")
    };
    let name = words(model);
    let known = PREFIXES.iter().find(|(part, _)| name.contains(&words(part)));
    known.map_or(NO_PREFIXES, |(_, prefixes)| *prefixes)
}
