//! Runs to figures. The programs that measure, natively and in the browser, print what each run took as one line of JSON;
//! what is said about the runs is computed and printed here for both.

use serde_json::{Map, Value, json};

/// A key of a run or of the figures, and how its value comes of a run. `None` where the run does not say.
type Figure = (&'static str, fn(&Value) -> Option<f64>);

/// Of runs of prefill and decode. The first token belongs to the prompt: it comes out of the prompt's last step.
const GENERATION: [Figure; 5] = [
    ("prefill_tps", |run| Some(1e3 * run["prefill_tokens"].as_f64()? / run["prefill_ms"].as_f64()?)),
    ("decode_tps", |run| Some(1e3 * run["decode_tokens"].as_f64()? / run["decode_ms"].as_f64()?)),
    ("ttft_ms", |run| run["ttft_ms"].as_f64()),
    ("prefill_cpu_ms", |run| run["prefill_cpu_ms"].as_f64()),
    ("decode_cpu_ms", |run| run["decode_cpu_ms"].as_f64()),
];

/// Of runs of embedding.
const EMBEDDING: [Figure; 3] = [
    ("time_ms", |run| run["time_ms"].as_f64()),
    ("texts_per_s", |run| Some(1e3 * run["texts"].as_f64()? / run["time_ms"].as_f64()?)),
    ("cpu_ms", |run| run["cpu_ms"].as_f64()),
];

/// How many times faster ours is than the peer: key of the ratio, figure, whether more of it is better.
const RATIOS: [(&str, &str, bool); 6] = [
    ("prefill", "prefill_tps", true),
    ("decode", "decode_tps", true),
    ("prefill_cpu", "prefill_cpu_ms", false),
    ("decode_cpu", "decode_cpu_ms", false),
    ("time", "time_ms", false),
    ("cpu", "cpu_ms", false),
];

/// What a program printed, with figures in the place of runs: median, least and most, or null where a run does not say; beside a
/// peer's also ratios.
pub fn figures(mut raw: Value) -> Value {
    let Some(result) = raw.as_object_mut() else { return raw };
    summarise(result);
    if let Some(peer) = result.get_mut("peer").and_then(Value::as_object_mut)
        && peer.contains_key("runs")
    {
        summarise(peer);
        let ratio = ratios(&raw, &raw["peer"]);
        raw["ratio"] = ratio;
    }
    raw
}

fn summarise(side: &mut Map<String, Value>) {
    let Some(Value::Array(runs)) = side.remove("runs") else { return };
    let figures: &[Figure] =
        if runs.iter().any(|run| run["time_ms"].is_number()) { &EMBEDDING } else { &GENERATION };
    for (key, of) in figures {
        let values: Option<Vec<f64>> = runs.iter().map(of).collect();
        side.insert((*key).to_owned(), values.and_then(spread).unwrap_or(Value::Null));
    }
}

/// Median, least and most.
fn spread(mut values: Vec<f64>) -> Option<Value> {
    values.sort_by(f64::total_cmp);
    let (min, max) = (*values.first()?, *values.last()?);
    let median = (values[(values.len() - 1) / 2] + values[values.len() / 2]) / 2.0;
    Some(json!({ "median": median, "min": min, "max": max }))
}

fn ratios(ours: &Value, theirs: &Value) -> Value {
    let found =
        RATIOS.iter().filter(|(_, figure, _)| ours.get(*figure).is_some()).map(|(key, figure, more)| {
            let median = |side: &Value| side[*figure]["median"].as_f64().filter(|median| *median > 0.0);
            let ratio = median(ours).zip(median(theirs)).map(|(a, b)| if *more { a / b } else { b / a });
            ((*key).to_owned(), ratio.map_or(Value::Null, |ratio| json!(ratio)))
        });
    Value::Object(found.collect())
}

/// Rows for people: heading, key, and the ratio's.
const ROWS: [(&str, &str, &str); 9] = [
    ("prefill, tokens/s", "prefill_tps", "prefill"),
    ("decode, tokens/s", "decode_tps", "decode"),
    ("prefill, CPU ms", "prefill_cpu_ms", "prefill_cpu"),
    ("decode, CPU ms", "decode_cpu_ms", "decode_cpu"),
    ("first token, ms", "ttft_ms", ""),
    ("all texts, ms", "time_ms", "time"),
    ("CPU ms", "cpu_ms", "cpu"),
    ("load, ms", "load_ms", ""),
    ("peak memory, MiB", "peak_mib", ""),
];

/// The figures as a table.
pub fn table(result: &Value) -> String {
    let text = |key: &str| result[key].as_str().unwrap_or("?");
    let what = match (&result["texts"], &result["tokens"]) {
        (Value::Number(texts), Value::Number(tokens)) => format!("{texts} texts of {tokens} tokens"),
        _ => format!("prefill {}, decode {}", result["prefill"], result["decode"]),
    };
    let browser =
        result["browser"].as_str().map_or_else(String::new, |version| format!(", Chromium {version}"));
    let mut out =
        format!("{}, {what}, {} ({}){browser}\n\n", text("model"), text("backend"), text("adapter"));
    let peer = Some(&result["peer"]).filter(|peer| peer.is_object() && peer["error"].is_null());
    let mut rows = vec![["".to_owned(), "pith".to_owned(), String::new(), String::new()]];
    if let Some(peer) = peer {
        let threads = peer["threads"].as_u64().unwrap_or(1);
        let s = if threads == 1 { "" } else { "s" };
        rows[0] = ["".into(), "pith".into(), format!("wllama, {threads} thread{s}"), "ratio".into()];
    }
    for (head, key, ratio) in ROWS.iter().filter(|(_, key, _)| result.get(*key).is_some_and(|v| !v.is_null()))
    {
        let times = result["ratio"][*ratio].as_f64().map_or_else(String::new, |times| format!("{times:.2}x"));
        rows.push([
            (*head).to_owned(),
            cell(&result[*key]),
            peer.map_or_else(String::new, |p| cell(&p[*key])),
            times,
        ]);
    }
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let widths = [0, 1, 2, 3].map(width);
    for row in &rows {
        let cells: Vec<String> =
            row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        out += &format!("{}\n", cells.join("  ").trim_end());
    }
    if let Some(per_token) = result["dispatches_per_token"].as_f64().filter(|dispatches| *dispatches > 0.0) {
        let number = |key: &str| result[key].as_f64().map_or_else(|| "-".to_owned(), three);
        out += &format!(
            "\nper token: {} dispatches, {} submits, {} bytes read back; objects created in a run: {}\n",
            three(per_token),
            number("submits_per_token"),
            number("readback_bytes"),
            number("objects_created"),
        );
    }
    if let Some(cosine) = result["peer"]["cosine_min"].as_f64() {
        out += &format!("\nthe least alike of both engines' vectors of a text: cosine {cosine:.5}\n");
    }
    if let Some(why) = result["peer"]["error"].as_str() {
        out += &format!("\nwllama failed: {why}\n");
    }
    out
}

/// A number, or a spread.
fn cell(value: &Value) -> String {
    let number = |value: &Value| value.as_f64().map(three);
    match (number(value), ["median", "min", "max"].map(|key| number(&value[key]))) {
        (Some(number), _) => number,
        (_, [Some(median), Some(min), Some(max)]) => format!("{median} ({min} to {max})"),
        _ => "-".to_owned(),
    }
}

/// Three digits that count, or all before the point.
pub fn three(value: f64) -> String {
    match value {
        v if v >= 100.0 => format!("{v:.0}"),
        v if v >= 10.0 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(prefill_ms: f64, decode_ms: f64, cpu_ms: Option<f64>) -> Value {
        json!({
            "prefill_tokens": 128, "prefill_ms": prefill_ms, "decode_tokens": 31, "decode_ms": decode_ms,
            "ttft_ms": prefill_ms, "prefill_cpu_ms": cpu_ms, "decode_cpu_ms": 5.0,
        })
    }

    #[test]
    fn runs_become_medians_and_ratios() {
        let ours = [run(64.0, 31.0, Some(70.0)), run(32.0, 62.0, None), run(128.0, 15.5, Some(90.0))];
        let theirs = [run(128.0, 62.0, Some(140.0)), run(256.0, 62.0, Some(150.0))];
        let result = figures(json!({
            "model": "a.gguf", "backend": "cpu", "adapter": "CPU", "prefill": 128, "decode": 32, "load_ms": 9.0,
            "runs": ours, "peer": { "threads": 2, "load_ms": 7.0, "runs": theirs },
        }));
        assert_eq!(result["prefill_tps"], json!({ "median": 2000.0, "min": 1000.0, "max": 4000.0 }));
        assert_eq!(result["peer"]["prefill_tps"]["median"], 750.0);
        assert_eq!(result["prefill_cpu_ms"], Value::Null, "one run does not say");
        assert_eq!(result["ratio"]["prefill"], 2000.0 / 750.0);
        assert_eq!(result["ratio"]["decode"], 2.0);
        assert_eq!(
            (&result["ratio"]["prefill_cpu"], &result["ratio"]["decode_cpu"]),
            (&Value::Null, &json!(1.0))
        );
        assert!(result.get("runs").is_none() && result["peer"].get("runs").is_none());
        let table = table(&result);
        assert!(table.contains("wllama, 2 threads") && table.contains("2.67x"), "{table}");
        assert!(table.contains("2000 (1000 to 4000)") && !table.contains("prefill, CPU ms"), "{table}");
    }

    #[test]
    fn embedding_and_a_peer_that_fails() {
        let runs = [json!({ "texts": 150, "time_ms": 300.0, "cpu_ms": 310.0 })];
        let result =
            figures(json!({ "texts": 150, "tokens": 29, "runs": runs, "peer": { "error": "it stopped" } }));
        assert_eq!(result["texts_per_s"]["median"], 500.0);
        assert!(result.get("ratio").is_none());
        let table = table(&result);
        assert!(
            table.contains("150 texts of 29 tokens") && table.contains("wllama failed: it stopped"),
            "{table}"
        );
    }
}
