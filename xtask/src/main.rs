//! Every habit of the house is one verb: `cargo xtask VERB`. Each prepares what it needs by itself.

mod error;
mod minilm;
mod paths;
mod say;
mod setup;
mod sh;
mod stamp;
mod toolchain;
mod wasm;

use std::process::ExitCode;

use error::{Error, Result};

const USAGE: &str = "\
cargo xtask VERB

  setup     installs what is missing: wasm target, browser, npm packages, the embedded model
  wasm      builds the worker
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nerror ({}): {error}", error.code());
            ExitCode::FAILURE
        }
    }
}

fn dispatch(args: &[String]) -> Result<()> {
    let (verb, _rest) = args.split_first().ok_or_else(|| Error::Usage(USAGE.into()))?;
    match verb.as_str() {
        "setup" => {
            say::show_had(true);
            setup::run().map(|_| ())
        }
        "wasm" => {
            say::show_had(true);
            wasm::build(&setup::run()?.toolchain)
        }
        "help" | "--help" | "-h" => {
            print!("{USAGE}");
            Ok(())
        }
        other => Err(Error::Usage(format!("no verb `{other}`\n\n{USAGE}"))),
    }
}
