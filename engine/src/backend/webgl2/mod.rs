//! WebGL2, for where there is no WebGPU: in the browser on a canvas that nobody sees, natively through EGL, for tests
//! of the kernels.

#![allow(unsafe_code)] // OpenGL's calls are: nobody checks that a name is of the context that is current.

mod context;
mod drawing;
mod executor;
mod images;
mod lists;
mod needs;
mod record;
mod transfers;

pub use context::Gl;
pub use executor::GlExecutor;
pub use images::can_hold;
pub use needs::{check, memory_of};
