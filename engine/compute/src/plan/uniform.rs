//! Constants that shaders read: one definition makes the struct of Rust, that of WGSL and the block of GLSL.

/// Defines a struct of `u32`, `f32` and `uvec4` fields, with
/// - `WGSL`: `struct NAME { ... }` and `var<uniform> VAR: NAME` at the binding,
/// - `GLSL`: `layout(std140) uniform NAME { ... } VAR`,
/// - `bytes()`: what is bound, a multiple of 16 bytes.
///
/// Fields lie where all three languages put them: `uvec4` come first, the others are 4 bytes each.
macro_rules! uniform {
    (
        $shader_name:ident $variable:ident at $binding:literal;
        $(#[$about:meta])*
        $vis:vis struct $name:ident { $($(#[$doc:meta])* $field:ident: $kind:ident),* $(,)? }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
        #[repr(C)]
        $vis struct $name { $($(#[$doc])* pub $field: $crate::plan::uniform_field!(rust $kind)),* }

        #[allow(dead_code)]
        impl $name {
            /// The struct and its binding.
            pub const WGSL: &'static str = concat!(
                "struct ", stringify!($shader_name), " {\n",
                $(stringify!($field), ": ", $crate::plan::uniform_field!(wgsl $kind), ",\n",)*
                "}\n@group(0) @binding(", stringify!($binding), ") var<uniform> ", stringify!($variable), ": ",
                stringify!($shader_name), ";\n",
            );
            /// The block.
            pub const GLSL: &'static str = concat!(
                "layout(std140) uniform ", stringify!($shader_name), " {\n",
                $($crate::plan::uniform_field!(glsl $kind), " ", stringify!($field), ";\n",)*
                "} ", stringify!($variable), ";\n",
            );

            /// What is bound.
            pub fn bytes(&self) -> Vec<u8> {
                let mut bytes = bytemuck::bytes_of(self).to_vec();
                bytes.resize(bytes.len().next_multiple_of(16), 0);
                bytes
            }
        }
    };
}

/// The type of a field in each language.
macro_rules! uniform_field {
    (rust u32) => {
        u32
    };
    (rust f32) => {
        f32
    };
    (rust uvec4) => {
        [u32; 4]
    };
    (wgsl u32) => {
        "u32"
    };
    (wgsl f32) => {
        "f32"
    };
    (wgsl uvec4) => {
        "vec4<u32>"
    };
    (glsl u32) => {
        "uint"
    };
    (glsl f32) => {
        "float"
    };
    (glsl uvec4) => {
        "uvec4"
    };
}

pub(crate) use {uniform, uniform_field};
