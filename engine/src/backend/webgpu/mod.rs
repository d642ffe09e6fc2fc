//! The WebGPU executor: wgpu in the browser, and on Vulkan natively. Needs no optional feature of the device.

mod executor;
mod gpu;
mod pipelines;
mod trace;

pub use executor::{GpuExecutor, memory_of};
pub use gpu::Gpu;
