//! Runs a model's steps one at a time on a device and on the CPU, and says which is the first that departs.
//!
//!     steps --diff MODEL.gguf [--backend webgpu|webgl2] [--cache f32|f16|q8_0|q4_0] [--all]
//!     steps --print STEP [FORMAT] [--backend webgpu|webgl2]
//!
//! --all goes on behind the first. --print links the shaders of a step, of one weight format where it reads weights, with the
//! file that each line comes from. Exit status 1 where a step departs.

use std::error::Error;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::process::ExitCode;

use pith_engine::backend::Device;
use pith_engine::gguf::{Header, HeaderReader, Progress};
use pith_engine::kernels::variants;
use pith_engine::plan::CacheFormat;
use pith_engine::runtime::{Comparison, Lockstep};

const USAGE: &str = "steps --diff MODEL.gguf [--backend webgpu|webgl2] [--cache FORM] [--all], or steps --print STEP [FORMAT]";

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("steps: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<bool, Box<dyn Error>> {
    let (mut diff, mut print, mut backend, mut cache, mut all) =
        (None, Vec::new(), "webgpu".to_owned(), CacheFormat::F32, false);
    let mut args = std::env::args().skip(1).peekable();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--diff" => diff = Some(args.next().ok_or(USAGE)?),
            "--print" => {
                while let Some(word) = args.next_if(|arg| !arg.starts_with("--")) {
                    print.push(word);
                }
            }
            "--backend" => backend = args.next().ok_or(USAGE)?,
            "--cache" => {
                let name = args.next().ok_or(USAGE)?;
                cache = CacheFormat::ALL.into_iter().find(|c| c.name() == name).ok_or(USAGE)?;
            }
            "--all" => all = true,
            _ => return Err(USAGE.into()),
        }
    }
    match (diff, &print[..]) {
        (Some(file), []) => departs(&file, &device(&backend)?, cache, all),
        (None, [step]) => print_shaders(step, None),
        (None, [step, format]) => print_shaders(step, Some(format)),
        _ => Err(USAGE.into()),
    }
}

fn device(backend: &str) -> Result<Device, Box<dyn Error>> {
    match backend {
        #[cfg(feature = "webgpu")]
        "webgpu" => Ok(pollster::block_on(Device::webgpu())?),
        #[cfg(feature = "webgl2")]
        "webgl2" => Ok(Device::webgl2()?),
        other => Err(format!("there is no backend {other}").into()),
    }
}

/// True where every step agrees.
fn departs(file: &str, device: &Device, cache: CacheFormat, all: bool) -> Result<bool, Box<dyn Error>> {
    let mut file = File::open(file)?;
    let header = header(&mut file)?;
    println!("on {}", device.info().name);
    let mut both = pollster::block_on(Lockstep::start(&header, device, cache))?;
    let mut bytes = Vec::new();
    while let Some(piece) = both.next() {
        bytes.resize(piece.len_bytes, 0);
        file.seek(SeekFrom::Start(piece.offset_bytes))?;
        file.read_exact(&mut bytes)?;
        both.accept(&bytes)?;
    }
    let ids: Vec<u32> = (0..32).map(|i| (i * 7 + 3) % 61).collect();
    let (mut compared, mut wrong) = (0, 0);
    pollster::block_on(both.run(&ids, |c| {
        compared += 1;
        if !c.agrees() {
            wrong += 1;
            if all || wrong == 1 {
                show(c);
            }
        }
    }))?;
    println!("{compared} comparisons, {wrong} depart");
    Ok(wrong == 0)
}

fn show(c: &Comparison) {
    let (index, want, got) = c.worst;
    println!("{} ({})", c.step, c.place);
    for shader in &c.shaders {
        println!("  shader   {shader}");
    }
    println!("  buffer   {}, {} values changed", c.buffer, c.values);
    println!("  distance {:.2e}, {:.0e} allowed", c.nmse, c.nmse_max);
    println!("  value    {index}: {got}, on the CPU {want}");
}

fn header(file: &mut File) -> Result<Header, Box<dyn Error>> {
    let mut reader = HeaderReader::new(Some(file.metadata()?.len()));
    let mut buffer = vec![0; 1 << 20];
    loop {
        let len = file.read(&mut buffer)?;
        if len == 0 {
            return Err("the file ends within its header".into());
        }
        if let Progress::Done(header) = reader.push(&buffer[..len])? {
            return Ok(*header);
        }
    }
}

/// Links the first variant of a step of each kernel that it has.
fn print_shaders(step: &str, format: Option<&String>) -> Result<bool, Box<dyn Error>> {
    let folder = format!("kernels/{step}/");
    let of_format = |parts: &[pith_engine::shaders::Part]| {
        let mut weights = parts.iter().filter(|part| part.path.starts_with("formats/")).peekable();
        weights.peek().is_none()
            || format.is_none_or(|f| weights.any(|part| part.path == format!("formats/{f}.wgsl")))
    };
    let mut kernels = Vec::new();
    for variant in variants() {
        let own = variant.parts.iter().any(|part| part.path.starts_with(&folder));
        if own && of_format(&variant.parts) && !kernels.contains(&variant.kernel) {
            kernels.push(variant.kernel);
            let linked = variant.link();
            println!("// {}", variant.label());
            for (i, line) in linked.source.lines().enumerate() {
                let (file, at) = linked.origin(i + 1);
                println!("{:60} // {file}:{at}", line);
            }
        }
    }
    if kernels.is_empty() {
        return Err(format!("no step {step} reads such weights").into());
    }
    Ok(true)
}
