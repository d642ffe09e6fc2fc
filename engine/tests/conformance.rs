//! The reference set on the CPU and on the WebGPU adapter: every case within its limit, or refused as unsupported by a
//! name that is listed here.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;
#[path = "../examples/conformance/mod.rs"]
mod conformance;
#[path = "common/devices.rs"]
mod devices;

use conformance::blocks::block_case;
use conformance::cases::model_case;
use conformance::files::Fixtures;
use conformance::subject::Native;
use pith_engine::backend::Device;
use pith_engine::formats::FORMATS;
use pith_engine::models::ARCHS;
use pith_engine::plan::CacheFormat;
use serde_json::Value;

/// True where every tensor type and the architecture of a record are in the registries.
fn supported(record: &Value) -> bool {
    let arch = ARCHS.iter().any(|a| record["arch"] == a.name);
    let types = record["tensor_types"].as_object().unwrap();
    arch && types.keys().all(|t| FORMATS.iter().any(|f| f.name == t))
}

fn run(device: &Device) {
    let fixtures = Fixtures::open(&common::reference_dir()).unwrap();
    let (mut ran, mut refused, mut wrong) = (0, Vec::new(), Vec::new());
    for section in ["fixtures", "formats", "mixes"] {
        for record in fixtures.section(section) {
            let mut native = Native::new(device, CacheFormat::F32);
            let case =
                pollster::block_on(model_case(&fixtures, section, &record, &mut native, CacheFormat::F32));
            println!("{:24} {:?} {:?} {}", case.name, case.nmse, case.greedy_equal, case.reason);
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
}

#[test]
fn the_cpu_agrees_with_the_reference() {
    run(&Device::cpu());
}

#[cfg(feature = "webgl2")]
#[test]
fn webgl2_agrees_with_the_reference() {
    devices::webgl2().iter().for_each(run);
}

#[cfg(feature = "webgpu")]
#[test]
fn webgpu_agrees_with_the_reference() {
    devices::webgpu().iter().for_each(run);
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
