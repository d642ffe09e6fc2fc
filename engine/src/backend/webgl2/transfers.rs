//! Buffers of constants and read-backs, and waiting for them.

use glow::HasContext as _;

use super::context::{Gl, TEXEL_BYTES};
use crate::backend::error::DeviceError;

/// A buffer of constants.
///
/// # Errors
/// `Internal` where WebGL makes no buffer.
pub fn uniform_buffer(gl: &Gl, contents: &[u8], usage: u32) -> Result<glow::Buffer, DeviceError> {
    let calls = gl.calls();
    gl.count(|c| c.objects_created += 1);
    // SAFETY: the context is current.
    unsafe {
        let buffer = calls.create_buffer().map_err(|detail| DeviceError::Internal { detail })?;
        calls.bind_buffer(glow::UNIFORM_BUFFER, Some(buffer));
        calls.buffer_data_u8_slice(glow::UNIFORM_BUFFER, contents, usage);
        Ok(buffer)
    }
}

/// A buffer to read texels back through.
///
/// # Errors
/// `Internal` where WebGL makes no buffer.
pub fn pack_buffer(gl: &Gl, bytes: usize) -> Result<glow::Buffer, DeviceError> {
    let calls = gl.calls();
    gl.count(|c| c.objects_created += 1);
    // SAFETY: the context is current.
    unsafe {
        let buffer = calls.create_buffer().map_err(|detail| DeviceError::Internal { detail })?;
        calls.bind_buffer(glow::PIXEL_PACK_BUFFER, Some(buffer));
        calls.buffer_data_size(glow::PIXEL_PACK_BUFFER, bytes.max(TEXEL_BYTES) as i32, glow::STREAM_READ);
        calls.bind_buffer(glow::PIXEL_PACK_BUFFER, None);
        Ok(buffer)
    }
}

/// What was copied to such a buffer.
pub fn read_back(gl: &Gl, buffer: glow::Buffer, len: usize) -> Vec<u8> {
    let calls = gl.calls();
    let mut bytes = vec![0; len];
    // SAFETY: the context is current; what was copied to the buffer has arrived.
    unsafe {
        calls.bind_buffer(glow::PIXEL_PACK_BUFFER, Some(buffer));
        // WebGL has the one call, OpenGL ES the others.
        #[cfg(target_arch = "wasm32")]
        calls.get_buffer_sub_data(glow::PIXEL_PACK_BUFFER, 0, &mut bytes);
        #[cfg(not(target_arch = "wasm32"))]
        {
            let mapped = calls.map_buffer_range(glow::PIXEL_PACK_BUFFER, 0, len as i32, glow::MAP_READ_BIT);
            if !mapped.is_null() {
                bytes.copy_from_slice(std::slice::from_raw_parts(mapped, len));
            }
            calls.unmap_buffer(glow::PIXEL_PACK_BUFFER);
        }
        calls.bind_buffer(glow::PIXEL_PACK_BUFFER, None);
    }
    gl.count(|c| c.readback_bytes += len as u64);
    bytes
}

/// Becomes signalled when all that was asked for so far is done.
///
/// # Errors
/// `Internal` where WebGL makes no fence.
pub fn fence(gl: &Gl) -> Result<glow::Fence, DeviceError> {
    let calls = gl.calls();
    // SAFETY: the context is current.
    unsafe {
        let fence = calls.fence_sync(glow::SYNC_GPU_COMMANDS_COMPLETE, 0);
        calls.flush();
        fence.map_err(|detail| DeviceError::Internal { detail })
    }
}

/// Waits for a fence without blocking the thread, and deletes it.
///
/// # Errors
/// `Lost`, or `Internal` where WebGL cannot wait.
pub async fn wait(gl: &Gl, fence: glow::Fence) -> Result<(), DeviceError> {
    loop {
        gl.check()?;
        // Natively nobody else would get to do anything.
        let timeout_ns = if cfg!(target_arch = "wasm32") { 0 } else { i32::MAX };
        // SAFETY: the context is current, and the fence is of it.
        match unsafe { gl.calls().client_wait_sync(fence, 0, timeout_ns) } {
            glow::TIMEOUT_EXPIRED => gl.pause().await,
            glow::WAIT_FAILED => {
                return Err(DeviceError::Internal { detail: "WebGL cannot wait".to_owned() });
            }
            _ => break,
        }
    }
    // SAFETY: as above.
    unsafe { gl.calls().delete_sync(fence) };
    Ok(())
}
