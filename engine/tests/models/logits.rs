//! The reference set on the CPU and on the WebGPU adapter: every case within its limit, or refused as unsupported by a
//! name that is listed here.

use crate::common;
use crate::conformance::blocks::block_case;
use crate::conformance::cases::model_case;
use crate::conformance::files::Fixtures;
use crate::conformance::subject::{Native, Rounding};
use crate::devices;
use pith_engine::backend::{Device, ThreadPool};
use pith_engine::formats::{FORMATS, Precision};
use pith_engine::models::ARCHS;
use serde_json::Value;

/// True where every tensor type and the architecture of a record are in the registries.
fn supported(record: &Value) -> bool {
    let arch = ARCHS.iter().any(|a| record["arch"] == a.name);
    let types = record["tensor_types"].as_object().unwrap();
    arch && types.keys().all(|t| FORMATS.iter().any(|f| f.name == t))
}

/// How far the case that is furthest off is.
fn run(device: &Device, precision: Precision) -> f64 {
    let rounding = Rounding { precision, ..Rounding::default() };
    let mut furthest = 0.0f64;
    let fixtures = Fixtures::open(&common::reference_dir()).unwrap();
    let (mut ran, mut refused, mut wrong) = (0, Vec::new(), Vec::new());
    for section in ["fixtures", "formats", "mixes"] {
        for record in fixtures.section(section) {
            let mut native = Native::new(device, rounding);
            let case = pollster::block_on(model_case(&fixtures, section, &record, &mut native, rounding));
            println!("{:24} {:?} {:?} {}", case.name, case.nmse, case.greedy_equal, case.reason);
            furthest = furthest.max(case.nmse.unwrap_or(0.0));
            if case.pass {
                ran += 1;
            } else if case.unsupported() && !supported(&record) {
                refused.push(case.name);
            } else {
                wrong.push(format!(
                    "{}: nmse {:?}, greedy {:?}, {}",
                    case.name, case.nmse, case.greedy_equal, case.reason
                ));
            }
        }
    }
    println!("{ran} passed; refused as unsupported: {refused:?}");
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(ran >= 30, "only {ran} cases ran");
    furthest
}

#[test]
fn the_cpu_agrees_with_the_reference() {
    run(&Device::cpu(), Precision::Exact);
}

/// No further off than llama.cpp on the CPU, and with its tokens wherever those are the exact ones; among three threads.
#[test]
fn the_cpu_is_as_exact_as_llama_cpp_when_it_is_fast() {
    let device = Device::cpu_with(ThreadPool::native(2).with_bytes_min(0));
    let furthest = run(&device, Precision::Fast);
    assert!(furthest > 1e-5, "nothing was rounded: {furthest:e}");
}

#[cfg(feature = "webgl2")]
#[test]
fn webgl2_agrees_with_the_reference() {
    if let Some(device) = devices::webgl2() {
        run(&device, Precision::Exact);
    }
}

#[cfg(feature = "webgpu")]
#[test]
fn webgpu_agrees_with_the_reference() {
    if let Some(device) = devices::webgpu() {
        run(&device, Precision::Exact);
    }
}

#[test]
fn blocks_decode_as_the_reference_does() {
    let fixtures = Fixtures::open(&common::reference_dir()).unwrap();
    let mut ran = 0;
    for record in fixtures.section("blocks") {
        let case = block_case(&fixtures, &record);
        assert!(case.pass || case.unsupported(), "{}: {:?} {}", case.name, case.nmse, case.reason);
        ran += usize::from(case.pass);
    }
    assert_eq!(ran, FORMATS.len());
}
