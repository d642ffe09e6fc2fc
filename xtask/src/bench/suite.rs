//! `cargo xtask bench --suite`: the tables of docs/performance.md, in its own words, row by row as they are measured.

use serde_json::Value;

use super::report::three;
use crate::error::{Error, Result};

/// A table: its heading, its columns, and the runs that are its rows.
struct Table {
    name: &'static str,
    title: &'static str,
    columns: &'static [Column],
    rows: Vec<Row>,
}

/// A heading, and where the value of a run lies.
struct Column {
    head: &'static str,
    /// Keys on the way to it.
    path: &'static [&'static str],
    unit: Unit,
}

#[derive(Clone, Copy)]
enum Unit {
    /// Three digits that count.
    Number,
    /// Median, least and most.
    Spread,
    /// How many times.
    Times,
}

struct Row {
    label: String,
    args: Vec<String>,
}

const fn column(head: &'static str, path: &'static [&'static str], unit: Unit) -> Column {
    Column { head, path, unit }
}

const BESIDE: [Column; 9] = [
    column("prefill, tokens/s", &["prefill_tps"], Unit::Spread),
    column("wllama", &["peer", "prefill_tps"], Unit::Spread),
    column("ratio", &["ratio", "prefill"], Unit::Times),
    column("by CPU time", &["ratio", "prefill_cpu"], Unit::Times),
    column("decode, tokens/s", &["decode_tps"], Unit::Spread),
    column("wllama", &["peer", "decode_tps"], Unit::Spread),
    column("ratio", &["ratio", "decode"], Unit::Times),
    column("by CPU time", &["ratio", "decode_cpu"], Unit::Times),
    column("peak MiB", &["peak_mib"], Unit::Number),
];

const EMBEDDING: [Column; 6] = [
    column("all texts, ms", &["time_ms"], Unit::Spread),
    column("wllama", &["peer", "time_ms"], Unit::Spread),
    column("ratio", &["ratio", "time"], Unit::Times),
    column("by CPU time", &["ratio", "cpu"], Unit::Times),
    column("load, ms", &["load_ms"], Unit::Number),
    column("peak MiB", &["peak_mib"], Unit::Number),
];

const GROWTH: [Column; 4] = [
    column("prefill, tokens/s", &["prefill_tps"], Unit::Spread),
    column("decode, tokens/s", &["decode_tps"], Unit::Spread),
    column("load, ms", &["load_ms"], Unit::Number),
    column("peak MiB", &["peak_mib"], Unit::Number),
];

/// The models that are compared, and how many tokens a run may take of each: emulation makes large ones slow.
const MODELS: [&str; 4] =
    ["smollm2-135m:q4_0", "smollm2-135m:q8_0", "smollm2-135m:q4_k_m", "qwen3-0.6b:q4_0"];

fn row(label: String, args: String) -> Row {
    Row { label, args: args.split_whitespace().map(str::to_owned).collect() }
}

fn tables() -> Vec<Table> {
    let beside = |name, title, how: &str| {
        let rows = MODELS.iter().flat_map(|model| {
            [128, 512].map(|prefill| {
                let args = format!("--model {model} --prefill {prefill} --decode 32 --peer wllama {how}");
                row(format!("{model}, prefill {prefill}"), args)
            })
        });
        Table { name, title, columns: &BESIDE, rows: rows.collect() }
    };
    let embed = [
        ("cpu", "1 thread", ""),
        ("cpu", "2 threads", "--threads 2"),
        ("webgpu", "lavapipe", "--driver lavapipe"),
    ];
    let embed = embed.map(|(backend, label, how)| {
        row(
            format!("{backend}, {label}"),
            format!("--model minilm --embed 150x29 --backend {backend} --peer wllama {how}"),
        )
    });
    vec![
        beside("cpu-1", "On the CPU, beside one thread of wllama", "--backend cpu --threads 1"),
        beside("cpu-2", "On the CPU, beside two threads of wllama", "--backend cpu --threads 2"),
        // The peer gives up on longer pieces of a prompt where the GPU is emulated.
        beside(
            "webgpu",
            "On WebGPU (lavapipe)",
            "--backend webgpu --driver lavapipe --tune --micro-batch 128",
        ),
        Table {
            name: "embed",
            title: "150 sentences of 29 tokens to vectors, all-MiniLM-L6-v2 as Q8_0",
            columns: &EMBEDDING,
            rows: embed.into(),
        },
        growth("growth-cpu", "As work grows, natively on the CPU", "--backend cpu"),
        growth(
            "growth-webgpu",
            "As work grows, natively through Vulkan (lavapipe)",
            "--backend webgpu --driver lavapipe",
        ),
    ]
}

fn growth(name: &'static str, title: &'static str, how: &str) -> Table {
    let model = "smollm2-135m:q4_0";
    let depth = [0, 512, 2048].map(|depth| {
        row(
            format!("depth {depth}"),
            format!("--native --model {model} --depth {depth} --prefill 32 --decode 16 {how}"),
        )
    });
    let prefill = [32, 128, 512, 2048].map(|prefill| {
        row(
            format!("prefill {prefill}"),
            format!("--native --model {model} --prefill {prefill} --decode 4 {how}"),
        )
    });
    let batch = [1, 2, 4, 8].map(|batch| {
        row(
            format!("batch {batch}"),
            format!("--native --model {model} --batch {batch} --prefill 32 --decode 16 {how}"),
        )
    });
    let load =
        ["smollm2-135m:q4_0", "smollm2-135m:q8_0", "smollm2-135m:f16", "qwen3-0.6b:q4_0"].map(|model| {
            row(
                format!("load {model}"),
                format!("--native --model {model} --prefill 8 --decode 4 --runs 1 {how}"),
            )
        });
    let rows = depth.into_iter().chain(prefill).chain(batch).chain(load).collect();
    Table { name, title, columns: &GROWTH, rows }
}

/// Prints the tables whose names are asked for, or all; `more` goes to every run, such as `--runs 1`.
pub fn run(names: &[String], only: Option<&str>, more: &[String]) -> Result<()> {
    let all = tables();
    let known: Vec<&str> = all.iter().map(|table| table.name).collect();
    if let Some(unknown) = names.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(Error::Usage(format!("no table `{unknown}`; there are {}", known.join(", "))));
    }
    let mut failed = 0;
    for table in all.iter().filter(|table| names.is_empty() || names.iter().any(|name| name == table.name)) {
        println!("\n### {}\n", table.title);
        println!("| | {} |", table.columns.iter().map(|c| c.head).collect::<Vec<_>>().join(" | "));
        println!("|---{}|", "|---".repeat(table.columns.len()));
        for row in table.rows.iter().filter(|row| only.is_none_or(|only| row.label.contains(only))) {
            match measure(row, more) {
                Ok(result) => println!("{}", line(&row.label, table.columns, &result)),
                Err(error) => {
                    failed += 1;
                    println!("| {} | failed: {error} |", row.label);
                }
            }
        }
    }
    if failed == 0 { Ok(()) } else { Err(Error::Check(format!("{failed} rows could not be measured"))) }
}

fn measure(row: &Row, more: &[String]) -> Result<Value> {
    let args: Vec<String> = row.args.iter().chain(more).cloned().collect();
    let result = super::measure(&args, |line| eprintln!("{line}"))?;
    result.ok_or_else(|| Error::Check("the bench printed no result".into()))
}

fn line(label: &str, columns: &[Column], result: &Value) -> String {
    let cells = columns.iter().map(|column| {
        let value = column.path.iter().fold(result, |value, key| &value[key]);
        match column.unit {
            Unit::Spread => match (value["median"].as_f64(), value["min"].as_f64(), value["max"].as_f64()) {
                (Some(median), Some(min), Some(max)) => {
                    format!("{} ({} to {})", three(median), three(min), three(max))
                }
                _ => "-".to_owned(),
            },
            Unit::Number => value.as_f64().map_or("-".to_owned(), three),
            Unit::Times => value.as_f64().map_or("-".to_owned(), |times| format!("{times:.2}")),
        }
    });
    let mut cells: Vec<String> = cells.collect();
    if let Some(why) = result["peer"]["error"].as_str() {
        cells.push(format!("wllama: {}", why.lines().next().unwrap_or_default()));
    }
    format!("| {label} | {} |", cells.join(" | "))
}

/// Names in `--suite a,b`; none for all.
pub fn names(list: &str) -> Vec<String> {
    list.split(',').filter(|name| !name.is_empty() && *name != "all").map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_row_has_a_cell_for_every_column_and_says_why_the_peer_is_missing() {
        let spread = |median: f64| json!({ "median": median, "min": median - 1.0, "max": median + 1.0 });
        let mut result = json!({
            "prefill_tps": spread(123.4), "decode_tps": spread(12.34), "load_ms": 5.0, "peak_mib": 99.6,
        });
        assert_eq!(
            line("a", &GROWTH, &result),
            "| a | 123 (122 to 124) | 12.3 (11.3 to 13.3) | 5.00 | 99.6 |"
        );
        result["peer"] = json!({ "error": "it stopped\nat once" });
        let beside = line("b", &BESIDE, &result);
        assert_eq!(beside.matches(" | ").count(), BESIDE.len() + 1, "{beside}");
        assert!(beside.ends_with("| wllama: it stopped |"), "{beside}");
    }

    #[test]
    fn tables_have_names_of_their_own_and_unknown_ones_are_refused() {
        let names: Vec<&str> = tables().iter().map(|table| table.name).collect();
        let mut once = names.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), names.len());
        assert!(run(&["nothing".to_owned()], None, &[]).is_err());
    }
}
