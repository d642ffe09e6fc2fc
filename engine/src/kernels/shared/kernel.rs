//! What every step has.

use super::cpu::Cpu;
#[cfg(feature = "webgl2")]
use crate::shaders::Draws;
use crate::shaders::{Dispatches, Variant};

/// A step that every executor can run.
pub(crate) trait Kernel {
    /// Every shader that a model of any format can ask for on WebGPU.
    fn variants() -> Vec<Variant>;

    /// Adds the step's dispatches of WebGPU.
    fn dispatch(&self, to: &mut Dispatches);

    /// Adds the step's draw calls of WebGL2.
    #[cfg(feature = "webgl2")]
    fn draw(&self, to: &mut Draws);

    /// Runs the step on the CPU.
    fn run(&self, cpu: &mut Cpu);
}
