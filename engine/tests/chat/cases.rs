//! Every chat case of the reference set.

use crate::common;
use crate::conformance::files::Fixtures;
use crate::conformance::subject::Native;
use crate::conformance::text::chat_cases;
use pith_engine::backend::Device;
use pith_engine::plan::CacheFormat;

#[test]
fn every_case_is_equal() {
    let fixtures = Fixtures::open(&common::reference_dir()).unwrap();
    let device = Device::cpu();
    let mut native = Native::new(&device, CacheFormat::F32);
    let cases = pollster::block_on(chat_cases(&fixtures, |_| true, &mut native));
    for case in &cases {
        println!("{:<16} {}", case.name, case.reason);
        assert!(case.pass, "{}: {}", case.name, case.reason);
    }
    assert_eq!(cases.len(), 3);
}
