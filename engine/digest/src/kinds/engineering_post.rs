//! Posts of engineers: what was done, how, what it brought, what it cost.

use super::kind::{Kind, sign};
use super::shape::Shape;
use crate::compose::Composer;
use crate::headings::CONCLUSION;

pub(super) static KIND: Kind = Kind { name: "engineering-post", evidence, compose };

const FIELD: &str = "latency; deploy; database; postgres; mysql; kubernetes; migrat; outage; incident; postmortem; post-mortem; p99; throughput; cluster; cache; backend; \
    compiler; benchmark; production; pipeline; queue; rollback; downtime; infrastructure; root cause; engineering; datenbank; ausfall; base de données; producción";
const RESULTS: &str = "reduced; fell; dropped; cut; saved; faster; slower; percent; cost; took; now; root cause; because; we learned; we will; improved; from; went from; ms; seconds; minutes; hours";

fn evidence(shape: &Shape) -> f32 {
    let field = FIELD
        .split(';')
        .map(str::trim)
        .filter(|word| shape.begins(word) || shape.headings_text.contains(word))
        .count();
    0.35 * field.min(5) as f32
        + 2.5 * shape.first_person.min(0.3)
        + 0.4 * sign(shape.begins("engineering"))
        + 0.3 * sign(shape.codes > 0)
        - 1.2 * sign(shape.first_person < 0.08)
        - 2.0 * shape.second_person.min(0.3)
        - 0.6 * sign(shape.members > 4)
        - 0.8
            * sign(
                crate::labels::is_version(&shape.title) || shape.is_titled("release; released; announcing"),
            )
}

fn compose(composer: &mut Composer<'_>) {
    composer.lead();
    let results = composer.cued(&composer.all(), RESULTS);
    let numbered = |at: &usize| composer.digest.sentences()[*at].text.chars().any(char::is_numeric);
    let (mut first, rest): (Vec<usize>, Vec<usize>) = results.into_iter().partition(numbered);
    first.extend(rest);
    for at in first.into_iter().take(2) {
        composer.say(at);
    }
    if let Some(section) = composer.section(CONCLUSION) {
        let sentences = composer.sentences(&section.whole);
        if let Some(best) = composer.best(&sentences) {
            composer.say(best);
        }
    }
    composer.fill(composer.room());
    composer.in_page_order(1);
}
