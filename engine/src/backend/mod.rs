//! Executors of a plan. They know steps and buffers, no model.

mod cpu;
mod device;
mod error;
mod executor;
#[cfg(any(feature = "webgpu", feature = "webgl2"))]
#[cfg_attr(not(feature = "webgpu"), allow(dead_code))] // WebGL2 waits for all.
mod in_flight;
mod run;
#[cfg(feature = "webgl2")]
mod webgl2;
#[cfg(feature = "webgpu")]
mod webgpu;

pub use cpu::{BODY_BYTES_MAX, Channel, ThreadPool};
pub use device::Device;
pub use error::DeviceError;
pub(crate) use executor::Executor;
pub use run::{Body, Choose, Counters, DeviceInfo, KernelTime, UNNAMED_GPU};
pub(crate) use run::{RING, Run};
#[cfg(feature = "webgpu")]
pub(crate) use webgpu::Trial;
