//! What the project's own set must come to.

use serde_json::Value;

enum Bound {
    Least(f64),
    Most(f64),
}
use Bound::{Least, Most};

/// Figures of [`crate::report::averages`], with some room for what a better rule costs elsewhere: one question of an answerable set is
/// half a point, one about a manual 3 points, one about an article 5.
const FLOORS: [(&str, Bound); 14] = [
    ("rouge1", Least(43.5)),
    ("rouge2", Least(23.5)),
    ("rougeLsum", Least(40.0)),
    ("supported_percent", Least(100.0)),
    ("hanging_percent", Most(5.0)),
    ("colon_lines", Most(0.0)),
    ("hybrid/first_right_percent", Least(84.0)),
    ("hybrid/mrr", Least(0.88)),
    ("hybrid/refused_percent", Most(15.0)),
    ("hybrid/unanswerable/manual/offered_percent", Most(6.0)),
    ("hybrid/unanswerable/article/offered_percent", Most(10.0)),
    ("text/first_right_percent", Least(68.0)),
    ("text/refused_percent", Most(20.0)),
    ("text/unanswerable/manual/offered_percent", Most(20.0)),
];

/// A line for each figure that is out of bounds.
pub fn missed(averages: &Value) -> Vec<String> {
    let check = |(name, bound): &(&str, Bound)| {
        let value = averages["macro"].pointer(&format!("/{name}")).and_then(Value::as_f64);
        let (holds, wanted) = match bound {
            Least(least) => (value.is_some_and(|value| value >= *least), format!("least {least}")),
            Most(most) => (value.is_some_and(|value| value <= *most), format!("most {most}")),
        };
        let found = value.map_or("not known".into(), |value| format!("{value:.3}"));
        (!holds).then(|| format!("{name} is {found}, {wanted}"))
    };
    FLOORS.iter().filter_map(check).collect()
}

/// Of the facts in summaries of the project's own pages, by words alone: vital ones, all, the score.
const FACTS_MIN: [(&str, f64); 3] = [("vital", 0.46), ("recall", 0.36), ("score", 0.40)];
/// Share of lines that have no place in a summary.
const POOR_MAX: f64 = 0.08;

/// A line for each average of facts that is out of bounds.
pub fn missed_facts(averages: [f64; 3], poor: f64) -> Vec<String> {
    let low = FACTS_MIN.iter().zip(averages).filter(|((_, least), value)| value < least);
    let mut missed: Vec<String> =
        low.map(|((name, least), value)| format!("{name} is {value:.3}, least {least}")).collect();
    if poor > POOR_MAX {
        missed.push(format!("poor is {poor:.3}, most {POOR_MAX}"));
    }
    missed
}

/// Share of pages whose kind is right, in the half that recognition is written with and in the other one.
const KINDS_MIN: [(&str, f64); 2] = [("known", 0.86), ("unseen", 0.82)];

/// A line where the kinds of a half are right too seldom.
pub fn missed_kinds(half: &str, accuracy: f64) -> Option<String> {
    let (_, least) = KINDS_MIN.iter().find(|(name, _)| *name == half)?;
    (accuracy < *least).then(|| format!("kinds of the {half} half are right in {accuracy:.3}, least {least}"))
}
