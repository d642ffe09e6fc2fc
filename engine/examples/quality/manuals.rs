//! Pages of published manuals, which lie in Debian packages, and questions that they do not answer.

use std::path::Path;

use crate::docs::{Anyhow, Doc, Question};
use crate::html;

/// Reads the pages that stand in packages, which lie unpacked in `dir`.
pub fn read_packages(docs: &mut [Doc], dir: &Path) -> Anyhow<()> {
    for doc in docs {
        let (Some(package), Some(file)) = (&doc.package, &doc.file) else { continue };
        let path = dir.join(package).join(file);
        let html = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        doc.blocks = html::blocks(&html);
    }
    Ok(())
}

/// Of the questions that other pages answer, each page is asked one in so many.
const STRANGERS_SHARE: usize = 3;
/// Sets of `articles` that are no articles, or that explain computers as the manuals do.
const NO_ARTICLES: [&str; 2] = ["manuals", "forum"];

/// Adds questions that a page does not answer: those to manuals of another subject, and those to articles.
pub fn ask_strangers(docs: &mut [Doc], articles: &[Doc]) {
    let answerable = |doc: &Doc| -> Vec<Question> {
        doc.questions.iter().filter(|question| question.answerable).cloned().collect()
    };
    let manuals: Vec<_> = docs.iter().map(|doc| (doc.subject.clone(), answerable(doc))).collect();
    let articles = articles
        .iter()
        .filter(|doc| !NO_ARTICLES.contains(&doc.set.as_str()) && doc.language.as_deref() == Some("en"));
    let articles: Vec<Question> = articles.flat_map(answerable).collect();
    for (nth, doc) in docs.iter_mut().enumerate() {
        let others = manuals.iter().filter(|(subject, _)| *subject != doc.subject);
        let others: Vec<&Question> = others.flat_map(|(_, questions)| questions).collect();
        for (about, all) in [("manual", others), ("article", articles.iter().collect())] {
            for question in all.into_iter().skip(nth % STRANGERS_SHARE).step_by(STRANGERS_SHARE) {
                let about = Some(about.to_owned());
                let text = question.text.clone();
                doc.questions.push(Question { text, answers: Vec::new(), answerable: false, about });
            }
        }
    }
}
