//! Random blocks of the weight formats, and what ggml decodes from them.

use std::fs;
use std::path::PathBuf;

use pith_engine::formats::{FORMATS, Format};
use serde_json::Value;

use super::cases::Case;
use super::files::{Anyhow, Fixtures};

/// The reference decode, and the decode from planes, of 8,192 values in random blocks: equal to ggml's to one ulp.
pub fn block_case(f: &Fixtures, record: &Value) -> Case {
    let name = record["format"].as_str().unwrap_or("?");
    let case = Case { limit: Some(2e-7), ..Case::new(name, "blocks", "cpu") };
    let Some(format) = FORMATS.iter().find(|f| f.name == name) else {
        return case.failed(format!("the type {name} is not supported"));
    };
    let read = |key: &str| -> Anyhow<PathBuf> { Ok(f.dir.join(record[key].as_str().ok_or("no file")?)) };
    let result = || -> Anyhow<f64> {
        let raw = fs::read(read("raw")?)?;
        let want = f.floats(record["f32"].as_str().ok_or("no file")?)?;
        let cols = want.len();
        let error = |got: &[f32]| relative_error(&want, got);
        Ok(error(&decode(format, &raw)).max(error(&decode_planes(format, &raw, cols))))
    };
    match result() {
        Err(e) => case.failed(e),
        Ok(worst) => Case { nmse: Some(worst), pass: worst <= 2e-7, ..case },
    }
}

fn relative_error(want: &[f32], got: &[f32]) -> f64 {
    let error =
        |(a, b): (&f32, &f32)| if a == b { 0.0 } else { f64::from((a - b).abs()) / f64::from(a.abs()) };
    want.iter().zip(got).map(error).fold(0.0, f64::max)
}

pub fn decode(format: &Format, raw: &[u8]) -> Vec<f32> {
    let mut out = vec![0.0; raw.len() / format.block_bytes * format.block_len];
    for (block, out) in raw.chunks_exact(format.block_bytes).zip(out.chunks_exact_mut(format.block_len)) {
        format.decode(block, out);
    }
    out
}

pub fn decode_planes(format: &Format, raw: &[u8], cols: usize) -> Vec<f32> {
    let mut planes = vec![Vec::new(); format.planes.len()];
    format.split_rows(raw, cols, &mut planes);
    let rows: Vec<&[u8]> = planes.iter().map(Vec::as_slice).collect();
    let mut out = vec![0.0; cols];
    format.unpack(&rows, &mut out);
    out
}
