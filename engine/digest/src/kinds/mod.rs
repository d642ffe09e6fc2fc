//! Kinds of pages: how each is recognised, and the lines that its reader wants. A kind is a file and a line in [`ALL`].

mod api_reference;
mod blocks;
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
mod glosses;
mod government;
mod howto;
mod index;
mod kind;
mod leads;
mod legal;
mod licence;
mod list;
mod looks;
mod man_page;
mod manual;
mod names;
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
mod tone;
mod tutorial;
mod voices;

use crate::order::{by_value, sorted};
use kind::{Kind, Signs};
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

/// How much a lead in evidence counts in confidence: what makes pages that were left out of the fit likeliest.
const SHARPNESS: f32 = 2.5;
/// What speaks for a page being of no particular kind.
const PROSE: f32 = 0.88;
/// Below this confidence a page is taken for prose, which is then right as often as the likeliest kind.
const CONFIDENCE_MIN: f32 = 0.25;

/// The kind of a page, how sure that is and why.
pub struct PageKind {
    /// Its name in the protocol, as "recipe"; "prose" where the page is of no particular kind.
    pub name: &'static str,
    /// 0 to 1: of pages with this confidence about so many are of this kind.
    pub confidence: f32,
    /// All kinds with what speaks for each, the likeliest first.
    pub candidates: Vec<Candidate>,
    pub(super) kind: &'static Kind,
}

/// A kind that a page may be of.
#[derive(Debug)]
pub struct Candidate {
    /// Its name.
    pub name: &'static str,
    /// 0 to 1, over all candidates 1.
    pub confidence: f32,
    /// The sum of its signs.
    pub evidence: f32,
    /// What speaks for it and against it, with how much each sign adds, the weightiest first.
    pub signs: Vec<(&'static str, f32)>,
}

impl std::fmt::Display for Candidate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {:.2} ({:.1})", self.name, self.confidence, self.evidence)?;
        for (name, worth) in &self.signs {
            write!(f, ", {name} {worth:+.1}")?;
        }
        Ok(())
    }
}

/// The kind of a page of this shape.
pub(super) fn classify(shape: &Shape) -> PageKind {
    let mut signs: Vec<Signs> = Vec::new();
    for kind in ALL {
        let mut of_kind = Signs::default();
        (kind.evidence)(shape, &mut of_kind);
        signs.push(of_kind);
    }
    signs.push(Signs { sum: PROSE, all: Vec::new() });
    let most = signs.iter().map(|one| one.sum).fold(f32::MIN, f32::max);
    let shares: Vec<f32> = signs.iter().map(|one| (SHARPNESS * (one.sum - most)).exp()).collect();
    let sum: f32 = shares.iter().sum();
    let order = by_value(&shares);
    let is_sure = shares[order[0]] / sum >= CONFIDENCE_MIN;
    let chosen = if is_sure { order[0] } else { ALL.len() };
    let kind = ALL.get(chosen).copied().unwrap_or(&prose::KIND);
    let name = |at: usize| ALL.get(at).map_or(prose::KIND.name, |kind| kind.name);
    let candidate = |&at: &usize| Candidate {
        name: name(at),
        confidence: shares[at] / sum,
        evidence: signs[at].sum,
        signs: sorted(&signs[at].all, |(_, worth)| worth.abs()),
    };
    let candidates = order.iter().map(candidate).collect();
    PageKind { name: kind.name, confidence: shares[chosen] / sum, candidates, kind }
}
