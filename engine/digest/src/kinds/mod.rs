//! Kinds of pages: how each is recognised, and the lines that its reader wants. A kind is a file and a line in [`ALL`].

mod api_reference;
mod blog;
mod book_chapter;
mod changelog;
mod collection;
mod encyclopedia;
mod engineering_post;
mod faq;
mod feature;
mod fiction;
mod forms;
mod forum;
mod government;
mod howto;
mod index;
mod kind;
mod legal;
mod licence;
mod list;
mod man_page;
mod manual;
mod news;
mod opinion;
mod paper;
mod product;
mod prose;
mod qa;
mod recipe;
mod release_notes;
mod review;
mod shape;
mod thread;
mod tutorial;

use kind::Kind;
pub(super) use shape::Shape;

/// All kinds; of two with the same evidence the first one is taken.
static ALL: [&Kind; 28] = [
    &recipe::KIND,
    &howto::KIND,
    &faq::KIND,
    &man_page::KIND,
    &changelog::KIND,
    &release_notes::KIND,
    &api_reference::KIND,
    &qa::KIND,
    &forum::KIND,
    &review::KIND,
    &product::KIND,
    &paper::KIND,
    &licence::KIND,
    &legal::KIND,
    &government::KIND,
    &list::KIND,
    &index::KIND,
    &collection::KIND,
    &tutorial::KIND,
    &encyclopedia::KIND,
    &engineering_post::KIND,
    &manual::KIND,
    &book_chapter::KIND,
    &news::KIND,
    &opinion::KIND,
    &feature::KIND,
    &blog::KIND,
    &fiction::KIND,
];

/// How much a lead in evidence counts in confidence.
const SHARPNESS: f32 = 2.0;
/// The least evidence for a kind.
const EVIDENCE_MIN: f32 = 0.7;

/// A page's kind, and how sure that is.
pub(super) struct Found {
    pub(super) kind: &'static Kind,
    /// 0 to 1: its share among the kinds that something speaks for.
    pub(super) confidence: f32,
    /// What speaks for each kind.
    pub(super) evidence: Vec<(&'static str, f32)>,
}

/// The kind of a page of this shape; prose where no kind has enough evidence.
pub(super) fn classify(shape: &Shape) -> Found {
    let evidence: Vec<f32> = ALL.iter().map(|kind| (kind.evidence)(shape)).collect();
    let best = (0..ALL.len()).reduce(|a, b| if evidence[b] > evidence[a] { b } else { a }).unwrap_or(0);
    let sum: f32 = evidence.iter().map(|value| (SHARPNESS * (value - evidence[best])).exp()).sum();
    let (kind, confidence) = match evidence[best] < EVIDENCE_MIN {
        true => (&prose::KIND, 0.0),
        false => (ALL[best], 1.0 / sum),
    };
    let evidence = ALL.iter().map(|kind| kind.name).zip(evidence).collect();
    Found { kind, confidence, evidence }
}
