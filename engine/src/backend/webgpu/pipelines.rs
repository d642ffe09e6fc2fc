//! Variants -> pipelines, each compiled once, with the compiler's messages traced to the part and line they concern.

use std::collections::HashMap;

use super::meter::Meter;
use crate::backend::error::DeviceError;
use crate::shaders::{Access, Linked, Variant};

/// A compiled variant. Clones share it.
#[derive(Clone)]
pub struct Pipeline {
    pub pipeline: wgpu::ComputePipeline,
    pub layout: wgpu::BindGroupLayout,
}

/// The pipelines of a device. They stay as long as it does: a variant depends on formats and kernels, hardly on a
/// model's sizes, so the next model finds most of what it needs compiled.
#[derive(Default)]
pub struct Pipelines {
    by_variant: HashMap<Variant, Pipeline>,
    layouts: HashMap<Vec<Access>, wgpu::BindGroupLayout>,
    pending: Vec<Pending>,
}

/// A pipeline whose compilation has not been confirmed.
pub struct Pending {
    variant: Variant,
    linked: Linked,
    module: wgpu::ShaderModule,
    error: std::pin::Pin<Box<dyn Future<Output = Option<wgpu::Error>>>>,
}

#[cfg(target_arch = "wasm32")]
fn module(device: &wgpu::Device, label: &str, source: std::borrow::Cow<'_, str>) -> wgpu::ShaderModule {
    let source = wgpu::ShaderSource::Wgsl(source);
    device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some(label), source })
}

/// Without a count in every loop that ends it after some billions, which keeps drivers from unrolling: most browsers have none either.
#[cfg(not(target_arch = "wasm32"))]
#[expect(unsafe_code, reason = "every loop of the engine's shaders ends")]
fn module(device: &wgpu::Device, label: &str, source: std::borrow::Cow<'_, str>) -> wgpu::ShaderModule {
    let descriptor =
        wgpu::ShaderModuleDescriptor { label: Some(label), source: wgpu::ShaderSource::Wgsl(source) };
    let mut checks = wgpu::ShaderRuntimeChecks::checked();
    checks.force_loop_bounding = false;
    // SAFETY: the shaders are the engine's own, and none has a loop that does not end.
    unsafe { device.create_shader_module_trusted(descriptor, checks) }
}

impl Pipelines {
    /// A variant's pipeline; starts compiling it when it is new.
    pub fn request(&mut self, device: &wgpu::Device, meter: &Meter, variant: &Variant) -> Pipeline {
        if let Some(pipeline) = self.by_variant.get(variant) {
            return pipeline.clone();
        }
        let layout = self.layout(device, meter, &variant.bindings);
        let linked = variant.link();
        #[cfg(target_arch = "wasm32")]
        let source = linked.source.as_str();
        #[cfg(not(target_arch = "wasm32"))]
        let source = linked.for_naga();
        let label = variant.label();
        let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
        let module = module(device, &label, source.into());
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(variant.kernel),
            bind_group_layouts: &[Some(&layout)],
            ..Default::default()
        });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(&label),
            layout: Some(&pipeline_layout),
            module: &module,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions {
                zero_initialize_workgroup_memory: false,
                ..Default::default()
            },
            cache: None,
        });
        meter.count(|c| {
            c.objects_created += 3;
            c.pipelines_created += 1;
        });
        self.pending.push(Pending { variant: variant.clone(), linked, module, error: Box::pin(scope.pop()) });
        let pipeline = Pipeline { pipeline, layout };
        self.by_variant.insert(variant.clone(), pipeline.clone());
        pipeline
    }

    /// What has been requested and not been confirmed.
    pub fn take_pending(&mut self) -> Vec<Pending> {
        std::mem::take(&mut self.pending)
    }

    /// Drops a pipeline that did not compile, so that whoever asks for it again is told so too.
    pub fn forget(&mut self, failed: &Pending) {
        self.by_variant.remove(&failed.variant);
    }

    fn layout(&mut self, device: &wgpu::Device, meter: &Meter, bindings: &[Access]) -> wgpu::BindGroupLayout {
        if let Some(layout) = self.layouts.get(bindings) {
            return layout.clone();
        }
        let entry = |(i, access): (usize, &Access)| wgpu::BindGroupLayoutEntry {
            binding: i as u32,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty: match access {
                    Access::Uniform => wgpu::BufferBindingType::Uniform,
                    Access::Read => wgpu::BufferBindingType::Storage { read_only: true },
                    Access::Write => wgpu::BufferBindingType::Storage { read_only: false },
                },
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        };
        let entries: Vec<_> = bindings.iter().enumerate().map(entry).collect();
        meter.count(|c| c.objects_created += 1);
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("kernel"),
            entries: &entries,
        });
        self.layouts.insert(bindings.to_vec(), layout.clone());
        layout
    }
}

impl Pending {
    /// Waits until it is compiled; the compiler's complaint if it cannot be.
    ///
    /// # Errors
    /// `Kernel` with the file and line that the compiler complains of.
    pub async fn ready(&mut self) -> Result<(), DeviceError> {
        let Some(error) = self.error.as_mut().await else { return Ok(()) };
        let info = self.module.get_compilation_info().await;
        let message = info.messages.iter().find(|m| m.message_type == wgpu::CompilationMessageType::Error);
        let message = match message.and_then(|m| Some((m, m.location.as_ref()?))) {
            Some((m, at)) => {
                let (path, line) = self.linked.origin(at.line_number as usize);
                format!("{path}:{line}: {}", m.message)
            }
            None => error.to_string(),
        };
        Err(DeviceError::Kernel { kernel: self.variant.label(), message })
    }
}
