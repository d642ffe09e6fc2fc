//! The context: opened once, watched for loss, every object and transfer counted.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use glow::HasContext as _;

use crate::backend::error::DeviceError;
use crate::backend::run::{Counters, DeviceInfo, is_emulated};
use crate::plan::{Features, Limits, Threads};
use crate::shaders::Program;

/// Texels of a line of every texture. Every device has 2,048.
pub const LINE_BITS: u32 = 11;
pub const LINE: usize = 1 << LINE_BITS;

/// Bytes of a texel.
pub const TEXEL_BYTES: usize = 16;

/// Largest texture that is asked for, however many lines the device allows.
const TEXTURE_BYTES_MAX: u64 = 256 << 20;

/// Block bindings that all programs share.
pub const PARAMS_BINDING: u32 = 0;
pub const STATE_BINDING: u32 = 1;

/// A context. Clones share it.
#[derive(Clone)]
pub struct Gl(Rc<Inner>);

struct Inner {
    gl: glow::Context,
    host: Host,
    info: DeviceInfo,
    lines_max: usize,
    counters: Cell<Counters>,
    programs: RefCell<HashMap<Program, Linking>>,
}

/// A program that was handed to the compiler, and what is known of it since somebody waited.
struct Linking {
    program: glow::Program,
    shaders: [glow::Shader; 2],
    compiled: Option<Rc<Compiled>>,
}

/// A program of the device, and where it takes what changes from draw to draw.
pub struct Compiled {
    pub program: glow::Program,
    pub step_token: Option<glow::UniformLocation>,
    pub size: Option<glow::UniformLocation>,
    pub first_scale: Option<glow::UniformLocation>,
}

impl Gl {
    /// A context of the browser, or of EGL.
    ///
    /// # Errors
    /// `NoGpuAdapter` where there is no context, or its textures are too small.
    pub fn open() -> Result<Gl, DeviceError> {
        let (gl, host) = Host::open()?;
        // SAFETY: the context is current, and lives as long as what is made of it.
        let (name, lines_max) = unsafe {
            let renderer = gl.get_parameter_string(glow::RENDERER);
            (host.gpu_adapter(&gl).unwrap_or(renderer), gl.get_parameter_i32(glow::MAX_TEXTURE_SIZE))
        };
        let software = is_emulated(&name);
        let lines_max = usize::try_from(lines_max).unwrap_or(0);
        if lines_max < LINE {
            return Err(DeviceError::NoGpuAdapter {
                why: format!("textures of at most {lines_max} texels a side"),
            });
        }
        let info = DeviceInfo { kind: "webgl2", name, software };
        let (counters, programs) = Default::default();
        Ok(Gl(Rc::new(Inner { gl, host, info, lines_max, counters, programs })))
    }

    /// The calls of WebGL, on this context.
    pub fn calls(&self) -> &glow::Context {
        self.0.host.make_current();
        &self.0.gl
    }

    pub fn info(&self) -> DeviceInfo {
        self.0.info.clone()
    }

    pub fn limits(&self) -> Limits {
        let bytes = (self.0.lines_max * LINE * TEXEL_BYTES) as u64;
        let bytes = bytes.min(TEXTURE_BYTES_MAX);
        Limits {
            binding_bytes: bytes,
            buffer_bytes: bytes,
            in_fours: true,
            sorts_experts: false,
            threads: Threads::ONE,
            features: Features::default(),
        }
    }

    pub fn counters(&self) -> Counters {
        self.0.counters.get()
    }

    /// Adds to the counters.
    pub fn count(&self, change: impl FnOnce(&mut Counters)) {
        let mut counters = self.0.counters.get();
        change(&mut counters);
        self.0.counters.set(counters);
    }

    pub fn lost(&self) -> Option<String> {
        self.0.host.is_lost().then(|| "the browser took the WebGL context away".to_owned())
    }

    /// Fails where the context is lost.
    ///
    /// # Errors
    /// `Lost`.
    pub fn check(&self) -> Result<(), DeviceError> {
        self.lost().map_or(Ok(()), |reason| Err(DeviceError::Lost { reason }))
    }

    /// Fails with what has gone wrong since the last call. Waits for the GPU's process: for loading, not for running.
    ///
    /// # Errors
    /// `Lost`, `OutOfMemory`, or `Internal` with the error's number.
    pub fn check_errors(&self) -> Result<(), DeviceError> {
        self.check()?;
        // SAFETY: as in `open`.
        match unsafe { self.calls().get_error() } {
            glow::NO_ERROR => Ok(()),
            glow::OUT_OF_MEMORY => {
                Err(DeviceError::OutOfMemory { detail: "WebGL has no more memory".to_owned() })
            }
            error => Err(DeviceError::Internal { detail: format!("WebGL error {error:#x}") }),
        }
    }

    /// Starts to compile a program, once for all models of the device.
    ///
    /// # Errors
    /// `Internal` where WebGL makes no program or shader object.
    pub fn request(&self, program: &Program) -> Result<(), DeviceError> {
        if self.0.programs.borrow().contains_key(program) {
            return Ok(());
        }
        let gl = self.calls();
        let internal = |detail: String| DeviceError::Internal { detail };
        let [vertex, fragment] = program.link(LINE_BITS);
        // SAFETY: as in `open`.
        let linking = unsafe {
            let linked = gl.create_program().map_err(internal)?;
            let shaders = [gl.create_shader(glow::VERTEX_SHADER), gl.create_shader(glow::FRAGMENT_SHADER)];
            let [vertex_shader, fragment_shader] = shaders;
            let shaders = [vertex_shader.map_err(internal)?, fragment_shader.map_err(internal)?];
            for (shader, text) in shaders.into_iter().zip([vertex, fragment]) {
                gl.shader_source(shader, &text);
                gl.compile_shader(shader);
                gl.attach_shader(linked, shader);
            }
            gl.link_program(linked);
            Linking { program: linked, shaders, compiled: None }
        };
        self.count(|c| {
            c.objects_created += 3;
            c.pipelines_created += 1;
        });
        self.0.programs.borrow_mut().insert(program.clone(), linking);
        Ok(())
    }

    /// A program, once it is compiled. Those that are wanted together are requested first: browsers compile side by side.
    ///
    /// # Errors
    /// `Kernel` for a shader that does not compile here; else as [`Self::request`].
    pub fn program(&self, program: &Program) -> Result<Rc<Compiled>, DeviceError> {
        self.request(program)?;
        let mut programs = self.0.programs.borrow_mut();
        let Some(linking) = programs.get_mut(program) else {
            return Err(DeviceError::Internal { detail: program.label() });
        };
        if let Some(compiled) = &linking.compiled {
            return Ok(Rc::clone(compiled));
        }
        let linked = linking.program;
        let gl = self.calls();
        // SAFETY: as in `open`.
        let compiled = unsafe {
            if !gl.get_program_link_status(linked) {
                let error = self.complaint(program, linking);
                programs.remove(program);
                return Err(error);
            }
            for (name, binding) in [("Params", PARAMS_BINDING), ("State", STATE_BINDING)] {
                if let Some(index) = gl.get_uniform_block_index(linked, name) {
                    gl.uniform_block_binding(linked, index, binding);
                }
            }
            gl.use_program(Some(linked));
            for (unit, name) in program.samplers.iter().enumerate() {
                gl.uniform_1_i32(gl.get_uniform_location(linked, name).as_ref(), unit as i32);
            }
            Rc::new(Compiled {
                program: linked,
                step_token: gl.get_uniform_location(linked, "step_token"),
                size: gl.get_uniform_location(linked, "size"),
                first_scale: gl.get_uniform_location(linked, "first_scale"),
            })
        };
        linking.compiled = Some(Rc::clone(&compiled));
        Ok(compiled)
    }

    /// The compiler's words.
    fn complaint(&self, program: &Program, linking: &Linking) -> DeviceError {
        let gl = self.calls();
        // SAFETY: as in `open`.
        let words = unsafe {
            let [vertex, fragment] = linking.shaders.map(|shader| gl.get_shader_info_log(shader));
            let logs = [vertex, fragment, gl.get_program_info_log(linking.program)];
            logs.into_iter().filter(|log| !log.is_empty()).collect::<Vec<_>>()
        };
        DeviceError::Kernel { kernel: program.label(), message: words.join("; ") }
    }

    /// Lets others do something while the GPU works.
    pub async fn pause(&self) {
        #[cfg(target_arch = "wasm32")]
        gloo_timers::future::TimeoutFuture::new(0).await;
    }
}

/// Where the context comes from.
#[cfg(target_arch = "wasm32")]
struct Host {
    context: web_sys::WebGl2RenderingContext,
}

#[cfg(target_arch = "wasm32")]
impl Host {
    fn open() -> Result<(glow::Context, Host), DeviceError> {
        use wasm_bindgen::JsCast as _;
        let none = |why: &str| DeviceError::NoGpuAdapter { why: why.to_owned() };
        let canvas = web_sys::OffscreenCanvas::new(1, 1).map_err(|_| none("no OffscreenCanvas"))?;
        let options = js_sys::Object::new();
        for (name, value) in [("antialias", false), ("depth", false), ("stencil", false), ("alpha", false)] {
            let _ = js_sys::Reflect::set(&options, &name.into(), &value.into());
        }
        let _ = js_sys::Reflect::set(&options, &"powerPreference".into(), &"high-performance".into());
        let context = canvas.get_context_with_context_options("webgl2", &options);
        let context = context.ok().flatten().ok_or_else(|| none("the browser gives no WebGL2 context"))?;
        let context: web_sys::WebGl2RenderingContext =
            context.dyn_into().map_err(|_| none("the browser gives no WebGL2 context"))?;
        Ok((glow::Context::from_webgl2_context(context.clone()), Host { context }))
    }

    fn make_current(&self) {}

    fn is_lost(&self) -> bool {
        self.context.is_context_lost()
    }

    /// What the browser says where it is asked for more than "WebKit WebGL".
    fn gpu_adapter(&self, _: &glow::Context) -> Option<String> {
        /// UNMASKED_RENDERER_WEBGL.
        const UNMASKED_RENDERER: u32 = 0x9246;
        self.context.get_extension("WEBGL_debug_renderer_info").ok().flatten()?;
        self.context.get_parameter(UNMASKED_RENDERER).ok()?.as_string()
    }
}

#[cfg(not(target_arch = "wasm32"))]
type Egl = khronos_egl::DynamicInstance<khronos_egl::EGL1_5>;

/// Where the context comes from.
#[cfg(not(target_arch = "wasm32"))]
struct Host {
    egl: Egl,
    display: khronos_egl::Display,
    context: khronos_egl::Context,
}

#[cfg(not(target_arch = "wasm32"))]
impl Host {
    fn open() -> Result<(glow::Context, Host), DeviceError> {
        use khronos_egl as egl;
        let none = |why: String| DeviceError::NoGpuAdapter { why };
        // SAFETY: the library is EGL's: its initialisers have no demands.
        let egl = unsafe { Egl::load_required() }.map_err(|e| none(e.to_string()))?;
        let display = surfaceless(&egl)
            // SAFETY: there is always a default display, if only as an error.
            .or_else(|| unsafe { egl.get_display(egl::DEFAULT_DISPLAY) })
            .ok_or_else(|| none("EGL has no display".to_owned()))?;
        let failed = |e: egl::Error| none(e.to_string());
        egl.initialize(display).map_err(failed)?;
        egl.bind_api(egl::OPENGL_ES_API).map_err(failed)?;
        let attributes =
            [egl::RENDERABLE_TYPE, egl::OPENGL_ES3_BIT, egl::SURFACE_TYPE, egl::PBUFFER_BIT, egl::NONE];
        let config = egl.choose_first_config(display, &attributes).map_err(failed)?;
        let config = config.ok_or_else(|| none("EGL has no configuration for OpenGL ES 3".to_owned()))?;
        let version = [egl::CONTEXT_MAJOR_VERSION, 3, egl::CONTEXT_MINOR_VERSION, 0, egl::NONE];
        let context = egl.create_context(display, config, None, &version).map_err(failed)?;
        let host = Host { egl, display, context };
        host.make_current();
        // SAFETY: the context is current, and the functions are its own.
        let gl = unsafe {
            glow::Context::from_loader_function(|name| {
                host.egl.get_proc_address(name).map_or(std::ptr::null(), |f| f as *const _)
            })
        };
        Ok((gl, host))
    }

    fn make_current(&self) {
        // A thread may have several contexts. One that cannot be made current shows in the next call.
        let _ = self.egl.make_current(self.display, None, None, Some(self.context));
    }

    fn is_lost(&self) -> bool {
        false
    }

    fn gpu_adapter(&self, _: &glow::Context) -> Option<String> {
        None
    }
}

/// The display of Mesa that needs no screen.
#[cfg(not(target_arch = "wasm32"))]
fn surfaceless(egl: &Egl) -> Option<khronos_egl::Display> {
    const PLATFORM_SURFACELESS_MESA: khronos_egl::Enum = 0x31dd;
    // SAFETY: a surfaceless platform has no native display.
    unsafe {
        egl.get_platform_display(PLATFORM_SURFACELESS_MESA, std::ptr::null_mut(), &[khronos_egl::ATTRIB_NONE])
    }
    .ok()
}

#[cfg(not(target_arch = "wasm32"))]
impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.egl.make_current(self.display, None, None, None);
        let _ = self.egl.destroy_context(self.display, self.context);
    }
}
