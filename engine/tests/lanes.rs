//! Several workers that share the rows of matrices compute what one computes, bit for bit; and what happens when one is lost or has
//! no memory.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;
#[allow(dead_code)] // The example uses the rest.
#[path = "../examples/conformance/files.rs"]
mod files;

use std::cell::Cell;
use std::rc::Rc;

use files::Fixtures;
use pith_engine::backend::{Crew, Device, DeviceError, Line};
use pith_engine::formats::Precision;
use pith_engine::kernels::{Hand, ORDER_WORDS, Order};
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
fn the_same_numbers_with_any_number_of_workers() {
    let fixtures = Fixtures::open(&common::reference_dir()).unwrap();
    let mut ran = 0;
    for section in ["fixtures", "formats"] {
        for record in fixtures.section(section) {
            let Ok(files) = fixtures.files(&record) else { continue };
            let precision = [Precision::Exact, Precision::Fast][ran % 2];
            let want = answer(&files, &Device::cpu(), precision);
            for count in [1, 3] {
                let device = Device::cpu_with(Crew::threads(count).sharing_from(0));
                let same = answer(&files, &device, precision) == want;
                assert!(same, "{}, {precision:?}, {count} beside one", record["name"]);
            }
            ran += 1;
        }
    }
    assert!(ran > 20, "only {ran} models");
}

/// One of the crew, in this thread. What it was told is counted; from order `lost_at` on it does not answer, and it has room for
/// `room` shards.
struct Near {
    hand: Hand,
    answer: Vec<f32>,
    orders: Rc<Cell<usize>>,
    lost_at: usize,
    room: usize,
    refused: bool,
}

impl Line for Near {
    fn send(&mut self, order: &[u32; ORDER_WORDS], body: &[u8]) -> Result<(), DeviceError> {
        self.orders.set(self.orders.get() + 1);
        let order = Order::read(order).unwrap();
        if let Order::Hold { .. } = order {
            self.refused = self.room == 0;
            self.room = self.room.saturating_sub(1);
        }
        if !self.refused {
            self.hand.obey(order, body, &mut self.answer).unwrap();
        }
        Ok(())
    }

    fn receive(&mut self, out: &mut [f32]) -> Result<(), DeviceError> {
        if self.orders.get() >= self.lost_at {
            return Err(DeviceError::Lost { reason: "it went".to_owned() });
        }
        if std::mem::take(&mut self.refused) {
            return Err(DeviceError::OutOfMemory { detail: "a shard".to_owned() });
        }
        out.copy_from_slice(&self.answer);
        Ok(())
    }
}

fn near(lost_at: usize, room: usize) -> (Device, Rc<Cell<usize>>) {
    let orders = Rc::new(Cell::new(0));
    let near = Near {
        hand: Hand::default(),
        answer: Vec::new(),
        orders: orders.clone(),
        lost_at,
        room,
        refused: false,
    };
    (Device::cpu_with(Crew::new(vec![Box::new(near)]).sharing_from(0)), orders)
}

#[test]
fn one_that_is_lost_is_an_error_and_the_device_says_so() {
    let (device, orders) = near(usize::MAX, usize::MAX);
    let mut model = block_on(Probe::default().load(&device)).unwrap();
    let loading = orders.get();
    let ids: Vec<u32> = (0..30).collect();
    let feed = |model: &mut Model| {
        let mut sequence = model.begin();
        let fed = model.feed(&mut sequence, &ids).map_err(|error| error.code());
        model.end(sequence);
        fed
    };
    feed(&mut model).unwrap();
    assert_eq!(device.lost(), None);
    let running = orders.get() - loading;
    assert!(running > 5, "only {running} orders");
    for lost_at in [loading + 1, loading + running / 2, loading + running] {
        let (device, orders) = near(lost_at, usize::MAX);
        let mut model = block_on(Probe::default().load(&device)).unwrap();
        assert_eq!(feed(&mut model), Err("device_lost"), "at order {lost_at}");
        assert!(device.lost().is_some_and(|why| why.contains("it went")));
        let asked = orders.get();
        drop(model);
        assert_eq!(orders.get(), asked, "nobody is there to be asked");
    }
    let (device, _) = near(3, usize::MAX);
    assert_eq!(block_on(Probe::default().load(&device)).err().unwrap().code(), "device_lost");
}

#[test]
fn without_room_for_a_shard_the_load_fails_and_the_next_may_do() {
    let (device, _) = near(usize::MAX, 2);
    let error = block_on(Probe::default().load(&device)).err().unwrap();
    assert_eq!(error.code(), "out_of_gpu_memory");
    assert_eq!(device.lost(), None);
}

#[test]
fn orders_are_read_as_they_were_sent() {
    let orders = [
        Order::Fill { key: 7, offset_bytes: 9 },
        Order::Multiply { key: 7 },
        Order::Row { key: 7, row: 3 },
        Order::Drop { key: 7 },
    ];
    for order in orders {
        assert_eq!(Order::read(&order.words()), Some(order));
    }
    assert_eq!(Order::read(&[99; ORDER_WORDS]), None);
}

#[test]
fn those_that_do_not_help_are_let_go() {
    let crew = Crew::threads(3);
    // By this clock everything takes the same time.
    let clock = Cell::new(0.0);
    crew.keep_those_that_help(|| clock.replace(clock.get() + 1.0));
    assert_eq!(crew.lanes().count, 2);
}
