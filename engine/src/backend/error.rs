use thiserror::Error;

/// What can go wrong on a device.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// There is none.
    #[error("no graphics adapter: {why}")]
    NoGpuAdapter {
        /// In the browser's words.
        why: String,
    },
    /// It was there and is gone.
    #[error("the GPU was lost: {reason}")]
    Lost {
        /// In the browser's words.
        reason: String,
    },
    /// A buffer could not be allocated.
    #[error("out of GPU memory: {detail}")]
    OutOfMemory {
        /// Which allocation.
        detail: String,
    },
    /// A kernel does not compile here.
    #[error("the kernel {kernel} does not compile on this device: {message}")]
    Kernel {
        /// Its variant.
        kernel: String,
        /// The compiler's words, with the part's own line.
        message: String,
    },
    /// It computes, but wrongly.
    #[error("the GPU computes wrongly: {detail}")]
    Wrong {
        /// Which kernels, and by how much.
        detail: String,
    },
    /// Something that should not happen.
    #[error("GPU error: {detail}")]
    Internal {
        /// The browser's words.
        detail: String,
    },
}

impl DeviceError {
    /// Stable code of the error catalogue.
    pub fn code(&self) -> &'static str {
        match self {
            DeviceError::NoGpuAdapter { .. } => "no_gpu_adapter",
            DeviceError::Lost { .. } => "device_lost",
            DeviceError::OutOfMemory { .. } => "out_of_gpu_memory",
            DeviceError::Kernel { .. } => "kernel_failed",
            DeviceError::Wrong { .. } => "gpu_wrong",
            DeviceError::Internal { .. } => "gpu_error",
        }
    }
}
