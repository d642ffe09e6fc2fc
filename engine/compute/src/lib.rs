//! The arithmetic of the Pith engine: weight formats, kernels, their shaders, sampling, and the data of a plan that they
//! work on.
//!
//! Apart from the rest because it is built for speed, and everything else of what is shipped for size.

/// The text of a shader without its comments, as `build.rs` wrote it.
macro_rules! bare {
    ($path:literal) => {
        include_str!(concat!(env!("OUT_DIR"), "/", $path))
    };
}
pub(crate) use bare;

/// Changes with the kernels and with what translates them: a device that computed these rightly may be wrong with others.
pub const FINGERPRINT: &str = env!("PITH_COMPUTE");

pub mod formats;
pub mod kernels;
pub mod plan;
pub mod sampler;
pub mod shaders;
mod simd;
