//! Parts of shaders: files, and sections of files whose parts belong together.

/// A piece of a shader's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Part {
    /// Path below `engine/src`, and `#` with the section where it is one of several; for messages.
    pub path: &'static str,
    /// Its text.
    pub text: &'static str,
}

impl Part {
    /// What tells the part from its siblings: the section, or the stem of a weight format's file.
    pub(super) fn choice(&self) -> Option<&'static str> {
        match self.path.split_once('#') {
            Some((_, section)) => Some(section),
            None => Some(self.path.strip_prefix("formats/")?.trim_end_matches(".wgsl")),
        }
    }
}

/// The part with this path.
macro_rules! part {
    ($path:literal) => {
        $crate::shaders::Part { path: $path, text: $crate::bare!($path) }
    };
}

pub(crate) use part;
