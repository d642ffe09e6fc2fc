//! Shapes of kernels that are tried on a model: what comes of it, and that the model stays as it is.

use std::time::Instant;

use crate::devices;
use pith_engine::backend::Device;
use pith_engine::kernels::shapes;
use pith_engine::runtime::{Model, Probe, TriedShape, Tuner};
use pith_engine::shaders::{Batch, Class, Tuning};
use pollster::block_on;

/// As many steps as no choice needs.
const STEPS_MAX: usize = 200;

fn tuned(model: &mut Model, now_ms: &dyn Fn() -> f64) -> Tuner {
    let mut tuner = Tuner::new(model).unwrap();
    let steps = (0..STEPS_MAX).take_while(|_| block_on(tuner.step(model, now_ms)).unwrap()).count();
    assert!(steps < STEPS_MAX, "it does not end");
    tuner
}

fn clock() -> impl Fn() -> f64 {
    let begun = Instant::now();
    move || begun.elapsed().as_secs_f64() * 1e3
}

fn ms_of(shape: &TriedShape, batch: Batch) -> f64 {
    shape.times.iter().find(|time| time.batch == batch).unwrap().ms
}

#[test]
fn every_choice_is_tried_and_the_model_stays_as_it_is() {
    let Some(device) = devices::webgpu() else { return };
    let probe = Probe { layers: 1, ..Probe::default() };
    let mut model = block_on(probe.load(&device)).unwrap();
    let ids = [1, 7, 3, 9];
    let before = block_on(model.evaluate(&ids, 0, &[5, 6])).unwrap();
    let memory = model.memory();
    let tuner = tuned(&mut model, &clock());
    assert_eq!(block_on(model.evaluate(&ids, 0, &[5, 6])).unwrap(), before);
    assert_eq!(model.memory(), memory);
    let tried: Vec<(&str, usize)> = tuner.results().iter().map(|r| (r.step, r.shapes.len())).collect();
    // The sizes of the probe make two numbers of threads the same.
    assert!(matches!(tried[..], [("linear", 4), ("linear", 2..=3), ("attend", 2)]), "{tried:?}");
    for result in tuner.results() {
        let [first, fastest] = [0, result.fastest].map(|at| &result.shapes[at]);
        for shape in &result.shapes {
            assert!(shape.times.iter().all(|time| time.ms > 0.0), "{shape:?}");
        }
        let times = first.times.iter().zip(&fastest.times);
        assert!(times.clone().any(|(a, b)| b.ms < a.ms) || result.fastest == 0, "{result:?}");
        let is_linear = result.step == "linear";
        for time in &first.times {
            assert_eq!((time.weight_bytes > 0, time.products > 0), (is_linear, is_linear));
            assert_eq!(time.tokens, if time.batch == Batch::Many { model.slice_tokens() } else { 1 });
        }
    }
    assert!(shapes().contains(&tuner.tuning()));
    let again = block_on(probe.load(&device.with_tuning(tuner.tuning()))).unwrap();
    assert_eq!(again.device().tuning(), Some(tuner.tuning()));
    assert!(block_on(Tuner::copy_speed(&mut model, &clock())).unwrap().unwrap() > 0.0);
}

/// With a clock that stands still: a time by the device's clock that is longer than that of the host is not believed.
#[test]
fn a_shape_must_be_clearly_faster() {
    let Some(device) = devices::webgpu_as(Some(Tuning::of(Class::Software))) else { return };
    let mut model = block_on(Probe { layers: 1, ..Probe::default() }.load(&device)).unwrap();
    let still = tuned(&mut model, &|| 0.0);
    // Nothing takes any time, so nothing is faster.
    assert_eq!(still.tuning(), Tuning::of(Class::Software));
    assert!(still.results().iter().all(|result| result.fastest == 0));
    assert!(
        still.results().iter().all(|result| ms_of(&result.shapes[0], result.shapes[0].times[0].batch) == 0.0)
    );
}

#[test]
fn nothing_is_tried_where_kernels_have_one_shape() {
    let model = block_on(Probe::default().load(&Device::cpu())).unwrap();
    assert!(Tuner::new(&model).is_none());
}
