//! Small trained models: known text, an exhaustive sort, known sentence vectors. They are read from `real/` of the
//! reference set; what is not there is printed as skipped.

use crate::common;
use crate::conformance::files::Fixtures;
use crate::conformance::real::{names, real_case};
use crate::conformance::subject::Native;
use crate::devices;
use pith_engine::plan::CacheFormat;
use pollster::block_on;

#[test]
fn trained_models_do_what_they_are_known_to_do() {
    let fixtures = Fixtures::open(&common::reference_dir()).unwrap();
    let mut ran = 0;
    for device in devices::cpu_and_webgpu() {
        let mut native = Native::new(&device, CacheFormat::F32);
        for name in names(&fixtures).unwrap() {
            let case = block_on(real_case(&fixtures, &name, 1, &mut native));
            println!("{name} on {}: {:?} {:?} {}", case.backend, case.nmse, case.greedy_equal, case.reason);
            assert!(case.pass, "{name} on {}: {}", case.backend, case.reason);
            ran += 1;
        }
    }
    assert!(ran > 1, "no trained model in the set");
}
