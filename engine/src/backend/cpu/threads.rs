//! A thread pool of the standard library's threads.

use std::sync::mpsc::{Receiver, Sender, channel};

use super::thread_pool::{Channel, ThreadPool};
use crate::backend::error::DeviceError;
use crate::kernels::{COMMAND_WORDS, CommandError, ShardCommand, ShardStore};

type Sent = ([u32; COMMAND_WORDS], Vec<u8>);

/// The way to a thread, which ends with it.
struct Thread {
    commands: Sender<Sent>,
    outputs: Receiver<Result<Vec<f32>, CommandError>>,
}

impl ThreadPool {
    /// So many threads. Those that cannot be started are left out.
    pub fn native(count: usize) -> ThreadPool {
        ThreadPool::new((0..count).filter_map(|_| start()).collect())
    }
}

fn start() -> Option<Box<dyn Channel>> {
    let (commands, received) = channel::<Sent>();
    let (output, outputs) = channel();
    let work = move || {
        let mut shards = ShardStore::default();
        for (words, body) in received {
            let mut out = Vec::new();
            let done = ShardCommand::read(&words).ok_or(CommandError::Invalid);
            let done = done.and_then(|command| shards.execute(command, &body, &mut out));
            if output.send(done.map(|()| out)).is_err() {
                return;
            }
        }
    };
    std::thread::Builder::new().spawn(work).ok()?;
    Some(Box::new(Thread { commands, outputs }))
}

impl Channel for Thread {
    fn send(&mut self, command: &[u32; COMMAND_WORDS], body: &[u8]) -> Result<(), DeviceError> {
        self.commands.send((*command, body.to_vec())).map_err(|_| lost("a thread has ended"))
    }

    fn receive(&mut self, out: &mut [f32]) -> Result<(), DeviceError> {
        match self.outputs.recv() {
            Ok(Ok(output)) if output.len() == out.len() => {
                out.copy_from_slice(&output);
                Ok(())
            }
            Ok(Err(CommandError::OutOfMemory)) => {
                Err(DeviceError::OutOfMemory { detail: "a shard of a weight".to_owned() })
            }
            Ok(_) => Err(lost("a thread failed or has another number of outputs")),
            Err(_) => Err(lost("a thread has ended")),
        }
    }
}

fn lost(reason: &str) -> DeviceError {
    DeviceError::Lost { reason: reason.to_owned() }
}
