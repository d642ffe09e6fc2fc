//! The WebGPU executor: wgpu in the browser, and on Vulkan natively. Needs no optional feature of the device.

mod executor;
mod gpu;
mod meter;
mod needs;
#[cfg(target_arch = "wasm32")]
mod nudge;
mod passes;
mod pipelines;
mod trace;
mod trial;

pub use executor::GpuExecutor;
pub use gpu::Gpu;
pub use needs::memory_of;
pub use trial::Trial;
