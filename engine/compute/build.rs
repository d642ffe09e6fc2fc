//! Takes the comments out of the shaders that are shipped. Translates the decode of every weight format from WGSL to GLSL
//! ES 3.00, with naga, so that a format stays one pair of files: what comes out are functions only, and what they read
//! through is in `src/shaders/glsl/weights.glsl`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use naga::back::glsl;
use naga::valid::{Capabilities, ValidationFlags, Validator};

/// What a decode reads through. Only the signatures count.
const ACCESS: &str = "
fn word4(i: u32) -> vec4<u32> { return vec4<u32>(i); }
fn word(i: u32) -> u32 { return i; }
fn plane1(plane: u32, row: u32) -> u32 { return plane + row; }
fn plane4(plane: u32, row: u32) -> u32 { return plane + row; }
fn half_at(plane: u32, row: u32, i: u32) -> f32 { return f32(plane + row + i); }
fn codeword(i: u32) -> u32 { return i; }
";

/// An entry point, so that the decode is written at all.
const ENTRY: &str = "
@fragment
fn main(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
  let m = decode16(u32(at.x), u32(at.y));
  return m[0] + m[1] + m[2] + m[3];
}
";

/// In words, with the file that it is about.
type Outcome<T> = Result<T, String>;

fn main() -> Outcome<()> {
    for input in ["src", "build.rs", "../../Cargo.lock"] {
        println!("cargo::rerun-if-changed={input}");
    }
    for folder in ["src/formats", "src/kernels", "src/shaders"] {
        bare(Path::new(folder))?;
    }
    let mut files = Vec::new();
    sources(Path::new("src"), &mut files)?;
    // What translates the decodes, and the versions of what it uses.
    files
        .extend(["build.rs", "../../Cargo.lock"].map(PathBuf::from).into_iter().filter(|file| file.exists()));
    println!("cargo::rustc-env=PITH_COMPUTE={:016x}", fingerprint(files)?);
    let helpers = read("src/shaders/wgsl/bytes.wgsl")? + &read("src/shaders/wgsl/unpack.wgsl")?;
    let helpers = without_codeword(&helpers);
    let mut stems: Vec<String> = Vec::new();
    for entry in fs::read_dir("src/formats").map_err(|e| e.to_string())?.flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|e| e == "wgsl") {
            stems.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
        }
    }
    stems.sort();
    let mut table = String::from("&[\n");
    for stem in stems {
        let mut decode = read(&format!("src/formats/{stem}.wgsl"))?;
        if decode.contains("fn codes16(") {
            decode += &read("src/shaders/wgsl/coded.wgsl")?;
        }
        let glsl = translated(&format!("{helpers}{decode}")).map_err(|e| format!("{stem}: {e}"))?;
        let _ = writeln!(table, "(\"formats/{stem}.wgsl\", {glsl:?}),");
    }
    table.push(']');
    fs::write(out()?.join("decodes.rs"), table).map_err(|e| e.to_string())
}

/// A line of WGSL with the language's short names of types, `vec4f` for `vec4<f32>`, and fewer spaces.
fn short(line: &str) -> String {
    let mut short = line.to_owned();
    for kind in ["f", "u", "i"] {
        for name in ["vec2", "vec3", "vec4", "mat4x4"] {
            short = short.replace(&format!("{name}<{kind}32>"), &format!("{name}{kind}"));
        }
    }
    for mark in [",", ";", ":", "{", "}"] {
        short = short.replace(&format!("{mark} "), mark).replace(&format!(" {mark}"), mark);
    }
    for mark in ["=", "+=", "+", "==", "&&", "||"] {
        short = short.replace(&format!(" {mark} "), mark);
    }
    short
}

/// Writes the shaders of a folder without their comments, line for line, for what is shipped. A file whose sections begin with
/// `//# NAME` becomes one `FILE#NAME` a section.
fn bare(folder: &Path) -> Outcome<()> {
    for entry in fs::read_dir(folder).map_err(|e| e.to_string())?.flatten() {
        let path = entry.path();
        if path.is_dir() {
            bare(&path)?;
        } else if path.extension().is_some_and(|e| e == "wgsl" || e == "glsl") {
            let text = read(&path.to_string_lossy())?;
            let below = path.strip_prefix("src").map_err(|e| e.to_string())?;
            let out = out()?.join(below).to_string_lossy().into_owned();
            let mut parts = vec![(out.clone(), String::new())];
            let is_wgsl = path.extension().is_some_and(|e| e == "wgsl");
            for line in text.lines() {
                if let Some(section) = line.strip_prefix("//# ") {
                    parts.push((format!("{out}#{section}"), String::new()));
                } else if let Some((_, text)) = parts.last_mut() {
                    let line = line.split("//").next().unwrap_or_default().trim();
                    let _ = writeln!(text, "{}", if is_wgsl { short(line) } else { line.to_owned() });
                }
            }
            for (out, text) in parts {
                fs::create_dir_all(Path::new(&out).parent().unwrap_or(folder)).map_err(|e| e.to_string())?;
                fs::write(out, text).map_err(|e| e.to_string())?;
            }
        }
    }
    Ok(())
}

fn sources(folder: &Path, files: &mut Vec<PathBuf>) -> Outcome<()> {
    for entry in fs::read_dir(folder).map_err(|e| e.to_string())?.flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, files)?;
        } else if path.extension().is_some_and(|e| e == "rs" || e == "wgsl" || e == "glsl") {
            files.push(path);
        }
    }
    Ok(())
}

/// FNV-1a of all files.
fn fingerprint(mut files: Vec<PathBuf>) -> Outcome<u64> {
    files.sort();
    let mut hash = 0xcbf2_9ce4_8422_2325;
    for file in files {
        for byte in fs::read(&file).map_err(|e| format!("{}: {e}", file.display()))? {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    Ok(hash)
}

fn out() -> Outcome<PathBuf> {
    env::var_os("OUT_DIR").map(PathBuf::from).ok_or_else(|| "cargo sets OUT_DIR".into())
}

fn read(path: &str) -> Outcome<String> {
    fs::read_to_string(path).map_err(|e| format!("{path}: {e}"))
}

fn without_codeword(helpers: &str) -> String {
    helpers
        .lines()
        .filter(|line| !line.starts_with("fn codeword"))
        .fold(String::new(), |all, line| all + line + "\n")
}

fn translated(wgsl: &str) -> Outcome<String> {
    let source = format!("{ACCESS}{wgsl}{ENTRY}");
    let module = naga::front::wgsl::parse_str(&source).map_err(|e| e.emit_to_string(&source))?;
    let info = Validator::new(ValidationFlags::all(), Capabilities::all())
        .validate(&module)
        .map_err(|e| format!("{e:?}"))?;
    let options = glsl::Options {
        version: glsl::Version::Embedded { version: 300, is_webgl: true },
        writer_flags: glsl::WriterFlags::empty(),
        ..Default::default()
    };
    let pipeline = glsl::PipelineOptions {
        shader_stage: naga::ShaderStage::Fragment,
        entry_point: "main".to_owned(),
        multiview: None,
    };
    let mut text = String::new();
    let policies = naga::proc::BoundsCheckPolicies::default();
    glsl::Writer::new(&mut text, &module, &info, &options, &pipeline, policies)
        .and_then(|mut writer| writer.write())
        .map_err(|e| e.to_string())?;
    Ok(functions(&text))
}

/// What of a shader `decode16` needs: constants and functions, in order, without what is read through.
fn functions(text: &str) -> String {
    const READ_THROUGH: [&str; 6] = ["word4_", "word", "plane1_", "plane4_", "half_at", "codeword"];
    // Name and text of each.
    let mut all: Vec<(String, String)> = Vec::new();
    let mut keeping = false;
    for line in text.lines().filter(|line| !line.is_empty()) {
        if !line.starts_with([' ', '}']) {
            let name =
                line.split_whitespace().nth(if line.starts_with("const ") { 2 } else { 1 }).unwrap_or("");
            let name = name.split('(').next().unwrap_or("").to_owned();
            keeping = line.starts_with("const ")
                || line.ends_with('{') && line.contains('(') && !READ_THROUGH.contains(&name.as_str());
            if keeping {
                all.push((name, String::new()));
            }
        }
        if let (true, Some((_, text))) = (keeping, all.last_mut()) {
            // GLSL ES 3.00 cannot choose among integers; shaders/glsl/weights.glsl can.
            text.push_str(line.trim_start());
            text.push('\n');
        }
    }
    // What is defined later uses what is defined earlier.
    let mut kept = String::new();
    for (name, text) in all.iter().rev().filter(|(name, _)| name != "main") {
        if name == "decode16_" || uses(&kept, name) {
            kept = text.replace("mix(", "pick(") + &kept;
        }
    }
    kept
}

fn uses(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
}
