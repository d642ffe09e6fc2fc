//! Any number of threads computes the same as one thread, bit for bit; and what happens when a thread is lost or has no memory.

use std::cell::Cell;
use std::rc::Rc;

use crate::common;
use crate::files::{self, Fixtures};
use pith_engine::backend::{Channel, Device, DeviceError, ThreadPool};
use pith_engine::formats::Precision;
use pith_engine::kernels::{COMMAND_WORDS, ShardCommand, ShardStore};
use pith_engine::runtime::{LoadOptions, Model, Probe};
use pollster::block_on;

/// Logits of a prompt and of a few tokens after it; of an encoder vectors.
fn answer(files: &[Vec<u8>], device: &Device, precision: Precision) -> Vec<Vec<u32>> {
    let header = files::read_headers(files).unwrap();
    let options = LoadOptions { precision, slice_tokens: Some(16), ..LoadOptions::default() };
    let mut model = block_on(files::load(files, &header, device, &options)).unwrap();
    let ids: Vec<u32> = (0..30).map(|i| (i * 7 + 3) % 40).collect();
    let decoded: &[u32] = if model.info().encoder { &[] } else { &[5, 9] };
    let rows = block_on(model.evaluate(&ids, ids.len() - 2, decoded)).unwrap();
    rows.into_iter().map(|row| row.into_iter().map(f32::to_bits).collect()).collect()
}

#[test]
fn any_number_of_threads_computes_the_same() {
    let fixtures = Fixtures::open(&common::reference_dir()).unwrap();
    let mut ran = 0;
    for section in ["fixtures", "formats"] {
        for record in fixtures.section(section) {
            let Ok(files) = fixtures.files(&record) else { continue };
            let precision = [Precision::Exact, Precision::Fast][ran % 2];
            let want = answer(&files, &Device::cpu(), precision);
            for count in [1, 3] {
                let device = Device::cpu_with(ThreadPool::native(count).with_bytes_min(0));
                let same = answer(&files, &device, precision) == want;
                assert!(same, "{}, {precision:?}, {count} beside one", record["name"]);
            }
            ran += 1;
        }
    }
    assert!(ran > 20, "only {ran} models");
}

/// A channel to a shard store in this thread. Commands are counted; from `lost_at` on it does not respond. It has room for `room`
/// shards.
struct Local {
    shards: ShardStore,
    output: Vec<f32>,
    commands: Rc<Cell<usize>>,
    lost_at: usize,
    room: usize,
    refused: bool,
}

impl Channel for Local {
    fn send(&mut self, command: &[u32; COMMAND_WORDS], body: &[u8]) -> Result<(), DeviceError> {
        self.commands.set(self.commands.get() + 1);
        let command = ShardCommand::read(command).unwrap();
        if let ShardCommand::Allocate { .. } = command {
            self.refused = self.room == 0;
            self.room = self.room.saturating_sub(1);
        }
        if !self.refused {
            self.shards.execute(command, body, &mut self.output).unwrap();
        }
        Ok(())
    }

    fn receive(&mut self, out: &mut [f32]) -> Result<(), DeviceError> {
        if self.commands.get() >= self.lost_at {
            return Err(DeviceError::Lost { reason: "it went".to_owned() });
        }
        if std::mem::take(&mut self.refused) {
            return Err(DeviceError::OutOfMemory { detail: "a shard".to_owned() });
        }
        out.copy_from_slice(&self.output);
        Ok(())
    }
}

fn local(lost_at: usize, room: usize) -> (Device, Rc<Cell<usize>>) {
    let commands = Rc::new(Cell::new(0));
    let local = Local {
        shards: ShardStore::default(),
        output: Vec::new(),
        commands: commands.clone(),
        lost_at,
        room,
        refused: false,
    };
    (Device::cpu_with(ThreadPool::new(vec![Box::new(local)]).with_bytes_min(0)), commands)
}

#[test]
fn a_lost_thread_is_an_error_and_the_device_is_lost() {
    let (device, commands) = local(usize::MAX, usize::MAX);
    let mut model = block_on(Probe::default().load(&device)).unwrap();
    let loading = commands.get();
    let ids: Vec<u32> = (0..30).collect();
    let feed = |model: &mut Model| {
        let mut sequence = model.begin();
        let fed = model.feed(&mut sequence, &ids).map_err(|error| error.code());
        model.end(sequence);
        fed
    };
    feed(&mut model).unwrap();
    assert_eq!(device.lost(), None);
    let running = commands.get() - loading;
    assert!(running > 5, "only {running} commands");
    for lost_at in [loading + 1, loading + running / 2, loading + running] {
        let (device, commands) = local(lost_at, usize::MAX);
        let mut model = block_on(Probe::default().load(&device)).unwrap();
        assert_eq!(feed(&mut model), Err("device_lost"), "at command {lost_at}");
        assert!(device.lost().is_some_and(|why| why.contains("it went")));
        let sent = commands.get();
        drop(model);
        assert_eq!(commands.get(), sent, "a lost thread gets no commands");
    }
    let (device, _) = local(3, usize::MAX);
    assert_eq!(block_on(Probe::default().load(&device)).err().unwrap().code(), "device_lost");
}

#[test]
fn without_room_for_a_shard_the_load_fails_and_the_next_may_do() {
    let (device, _) = local(usize::MAX, 2);
    let error = block_on(Probe::default().load(&device)).err().unwrap();
    assert_eq!(error.code(), "out_of_gpu_memory");
    assert_eq!(device.lost(), None);
}

#[test]
fn commands_are_read_as_they_were_sent() {
    let commands = [
        ShardCommand::Write { key: 7, offset_bytes: 9 },
        ShardCommand::Multiply { key: 7 },
        ShardCommand::ReadRow { key: 7, row: 3 },
        ShardCommand::Free { key: 7 },
    ];
    for command in commands {
        assert_eq!(ShardCommand::read(&command.words()), Some(command));
    }
    assert_eq!(ShardCommand::read(&[99; COMMAND_WORDS]), None);
}

#[test]
fn threads_that_do_not_help_are_ended() {
    let pool = ThreadPool::native(3);
    // By this clock everything takes the same time.
    let clock = Cell::new(0.0);
    pool.keep_helpful(|| clock.replace(clock.get() + 1.0));
    assert_eq!(pool.threads().count, 2);
}
