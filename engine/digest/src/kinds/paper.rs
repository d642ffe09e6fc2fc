//! Papers: what was found. The abstract says it; why it was asked comes last.

use std::ops::Range;

use super::kind::{Kind, Signs};
use super::names::STUDY;
use super::shape::Shape;
use crate::compose::Composer;
use crate::headings::{ABSTRACT, CONCLUSION};
use crate::page::BlockKind;

pub(super) static KIND: Kind = Kind {
    name: "paper",
    wants: "what was asked, how it was studied, the results with their numbers, and the conclusion with its limits",
    evidence,
    compose,
};

const FIELD: &str = "doi; received; accepted; arxiv; university; et al; abstract; corresponding author; institute; journal; keywords; preprint; department of; internet-draft; \
    universität; université; universidad; università; 大学; 摘要; 关键词; 大學; キーワード; 要旨; 초록; palabras clave; mots-clés; schlüsselwörter; parole chiave; palavras-chave; słowa kluczowe; ключевые слова; 주제어; received; universiteit; università; uniwersytet; университет; institut";
const RESULTS: &str = "we find; we found; we show; we showed; we present; we propose; we demonstrate; we introduce; results; significantly; significant; percent; %; increased; decreased; reduced; higher; lower; \
    outperforms; no effect; no difference; confirmed; reveal; revealed; suggest; suggests; achieves; improves; wir zeigen; ergebnisse; nous montrons; résultats; resultados; \
    mostramos; encontramos; risultati; результаты; 结果; 结果表明; 表明; 提出; 显著; 結果; 示した; 提案; 결과";
/// Words of a paragraph that is the name of a part.
const NAME_WORDS_MAX: usize = 6;

fn evidence(shape: &Shape, signs: &mut Signs) {
    let field = FIELD.split(';').map(str::trim).filter(|word| shape.begins(word)).count();
    signs.add(-0.01, "at first", true);
    signs.add(
        1.8,
        "type of schema.org",
        shape.is_typed(&["scholarlyarticle", "medicalscholarly"])
            && (shape.has.r#abstract || shape.study > 1 || field > 1),
    );
    signs.add(2.3, "abstract", shape.has.r#abstract);
    signs.add(0.43, "parts of a study", shape.study.min(4) as f32);
    signs.add(0.30, "references", shape.has.references);
    signs.add(0.44, "words of the field", field.min(4) as f32);
    signs.add(-0.59, "pros or ingredients", shape.has.pros || shape.has.ingredients);
    signs.add(-0.96, "no words of the field", field == 0);
    signs.add(-0.50, "prices", shape.prices > 2);
    signs.add(-0.60, "several people", shape.people > 1);
}

fn compose(composer: &mut Composer<'_>) {
    let range = summary(composer);
    let found = composer.cued(&range, RESULTS);
    let lead = composer.find_lead(&range);
    let results = composer.room().saturating_sub(2);
    for at in found.into_iter().take(results) {
        composer.say(at);
    }
    if let Some(lead) = lead {
        composer.say(lead);
    }
    if let Some(section) = composer.section(CONCLUSION).filter(|section| section.heading >= range.end) {
        let sentences = composer.sentences(&section.whole);
        if let Some(best) = composer.best(&sentences) {
            composer.say(best);
        }
    }
    let rest = composer.sentences(&range);
    while composer.room() > 0 && composer.best(&rest).is_some_and(|best| composer.say(best)) {}
    composer.fill(composer.room());
    composer.in_page_order(0);
}

/// The blocks of the abstract; the first quarter of the page where it has none.
fn summary(composer: &Composer<'_>) -> Range<usize> {
    let parts = &composer.digest.outline.parts;
    if let Some(section) = composer.section(ABSTRACT) {
        // Where its name is a paragraph of its own, other names are, too: "Status of this Memo".
        let is_name = |block: &usize| {
            let text = composer.text(*block);
            parts[*block].kind == BlockKind::Paragraph
                && (1..=NAME_WORDS_MAX).contains(&parts[*block].words)
                && !text.ends_with(['.', ':', '!', '。'])
                && !crate::headings::is_called(text, STUDY)
        };
        let is_paragraph = parts[section.heading].kind == BlockKind::Paragraph;
        let next = section.whole.clone().skip(1).find(is_name).filter(|_| is_paragraph);
        return section.whole.start..next.unwrap_or(section.whole.end);
    }
    let is_abstract = |block: &usize| {
        parts[*block].kind == BlockKind::Paragraph
            && crate::headings::is_called(crate::words::head(composer.text(*block), 10), ABSTRACT)
    };
    let begin = (0..parts.len().min(60)).find(is_abstract);
    let end = |begin: usize| {
        composer.sections().iter().map(|one| one.heading).find(|&at| at > begin).unwrap_or(begin + 3)
    };
    begin.map_or(0..parts.len().div_ceil(4), |begin| begin..end(begin).min(parts.len()))
}
