//! Makes seeds for the target `template`: `template_seeds OUT_DIR` writes each template of `tests/chat/jinja_cases.json`.

use std::path::PathBuf;

fn main() {
    let Some(out) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("template_seeds OUT_DIR");
        std::process::exit(2);
    };
    std::fs::create_dir_all(&out).expect("the output folder");
    let file: serde_json::Value =
        serde_json::from_str(include_str!("../../../tests/chat/jinja_cases.json")).expect("a JSON file");
    for (at, case) in file["cases"].as_array().expect("cases").iter().enumerate() {
        std::fs::write(out.join(at.to_string()), case[0].as_str().unwrap_or_default())
            .expect("a writable folder");
    }
}
