//! What can go wrong in a verb, each with a sentence for the person who typed it.

use std::path::{Path, PathBuf};

/// Result of anything in this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A verb's failure.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A command ran and said no. What it printed stands above, the last of it in `said` where that is known.
    #[error("`{command}` failed ({status}){said}")]
    Command { command: String, status: String, said: String },
    /// A command could not be started.
    #[error("cannot start `{command}`: {source}")]
    Start { command: String, source: std::io::Error },
    /// Reading or writing a file failed.
    #[error("{path}: {source}", path = path.display())]
    Io { path: PathBuf, source: std::io::Error },
    /// Something is not installed and could not be installed from here.
    #[error("{what} is missing. {hint}")]
    Missing { what: String, hint: String },
    /// What a person must install first, a line each.
    #[error("something is missing; `cargo xtask setup --check` shows the rest\n{0}")]
    Prerequisites(String),
    /// Something was looked at and found wrong.
    #[error("{0}")]
    Check(String),
    /// A failure that was printed already.
    #[error("")]
    Reported,
    /// The command line makes no sense.
    #[error("{0}")]
    Usage(String),
}

impl Error {
    /// A stable name of the kind of failure.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Command { .. } => "command_failed",
            Self::Start { .. } => "command_missing",
            Self::Io { .. } => "io",
            Self::Missing { .. } | Self::Prerequisites(_) => "missing_tool",
            Self::Check(_) => "check_failed",
            Self::Reported => "reported",
            Self::Usage(_) => "usage",
        }
    }
}

/// Says which path an I/O error belongs to.
pub fn at<T>(path: &Path, result: std::io::Result<T>) -> Result<T> {
    result.map_err(|source| Error::Io { path: path.to_path_buf(), source })
}
