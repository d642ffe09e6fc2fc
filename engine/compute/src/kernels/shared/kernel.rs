//! What every step has.

use super::cpu::Cpu;
use crate::plan::{Layout, View, WeightId};
#[cfg(feature = "webgl2")]
use crate::shaders::Draws;
use crate::shaders::{Choice, Dispatches, Tuning, Variant};

/// A step that every executor can run.
pub(crate) trait Kernel {
    /// Largest accepted distance of a device from the CPU, after this step alone: sum of squared differences over sum of
    /// squares.
    const NMSE_MAX: f64 = 1e-9;

    /// Every shader that a model of any format can ask for on WebGPU.
    fn variants() -> Vec<Variant>;

    /// What can be chosen for this step, with all else as it is. Nothing where the step has one shape.
    fn choices(_: &Tuning) -> Vec<Choice> {
        Vec::new()
    }

    /// The matrix that it multiplies with, whole.
    fn weight(&self) -> Option<WeightId> {
        None
    }

    /// Adds the step's dispatches of WebGPU.
    fn dispatch(&self, to: &mut Dispatches);

    /// Adds the step's draw calls of WebGL2.
    #[cfg(feature = "webgl2")]
    fn draw(&self, to: &mut Draws);

    /// What it sends to one other thread and gets back, for slices of so many tokens.
    fn sent_bytes(&self, _: &Layout, _slice: usize) -> usize {
        0
    }

    /// Runs the step on the CPU.
    fn run(&self, cpu: &mut Cpu);

    /// Steps to test on random values, for what no model asks for yet. `rows` makes a view with a row of so many values for
    /// every token.
    fn examples(_rows: &mut dyn FnMut(usize) -> View) -> Vec<Self>
    where
        Self: Sized,
    {
        Vec::new()
    }
}
