//! The devices that native tests run on: the CPU, WebGPU through Vulkan, WebGL2 through EGL.
//!
//! On Linux `cargo xtask setup` installs software drivers, and a machine without them fails: a test must not pass on
//! nothing. Other systems have no such drivers; tests there print what they skip.
#![allow(dead_code)] // Each test crate uses a part.

use std::fmt::Display;

use pith_engine::backend::Device;

fn found<E: Display>(what: &str, device: Result<Device, E>) -> Option<Device> {
    match device {
        Ok(device) => {
            println!("using: {}", device.info().name);
            Some(device)
        }
        Err(error) if cfg!(target_os = "linux") => panic!("no {what} device: {error}"),
        Err(error) => {
            println!("skipped: {what}: {error}");
            None
        }
    }
}

/// The WebGPU device.
#[cfg(feature = "webgpu")]
pub fn webgpu() -> Option<Device> {
    found("WebGPU", pollster::block_on(Device::webgpu()))
}

/// The WebGPU device with the kernel shapes of another class of GPU adapters.
#[cfg(feature = "webgpu")]
pub fn webgpu_as(tuning: Option<pith_engine::shaders::Tuning>) -> Option<Device> {
    found("WebGPU", pollster::block_on(Device::webgpu_as(tuning)))
}

/// The WebGL2 device.
#[cfg(feature = "webgl2")]
pub fn webgl2() -> Option<Device> {
    found("WebGL2", Device::webgl2())
}

/// The CPU, and WebGPU with its feature.
pub fn cpu_and_webgpu() -> Vec<Device> {
    let all = [
        Some(Device::cpu()),
        #[cfg(feature = "webgpu")]
        webgpu(),
    ];
    all.into_iter().flatten().collect()
}
