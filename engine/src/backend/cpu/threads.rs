//! A crew of threads, where there are threads.

use std::sync::mpsc::{Receiver, Sender, channel};

use super::crew::{Crew, Line};
use crate::backend::error::DeviceError;
use crate::kernels::{Hand, ORDER_WORDS, Order, Refusal};

type Sent = ([u32; ORDER_WORDS], Vec<u8>);

/// The way to a thread, which ends with it.
struct Thread {
    orders: Sender<Sent>,
    answers: Receiver<Result<Vec<f32>, Refusal>>,
}

impl Crew {
    /// So many threads. Those that cannot be started are left out.
    pub fn threads(count: usize) -> Crew {
        Crew::new((0..count).filter_map(|_| start()).collect())
    }
}

fn start() -> Option<Box<dyn Line>> {
    let (orders, ordered) = channel::<Sent>();
    let (answer, answers) = channel();
    let work = move || {
        let mut hand = Hand::default();
        for (words, body) in ordered {
            let mut out = Vec::new();
            let done = Order::read(&words).ok_or(Refusal::Order);
            let done = done.and_then(|order| hand.obey(order, &body, &mut out));
            if answer.send(done.map(|()| out)).is_err() {
                return;
            }
        }
    };
    std::thread::Builder::new().spawn(work).ok()?;
    Some(Box::new(Thread { orders, answers }))
}

impl Line for Thread {
    fn send(&mut self, order: &[u32; ORDER_WORDS], body: &[u8]) -> Result<(), DeviceError> {
        self.orders.send((*order, body.to_vec())).map_err(|_| lost("a thread has ended"))
    }

    fn receive(&mut self, out: &mut [f32]) -> Result<(), DeviceError> {
        match self.answers.recv() {
            Ok(Ok(answer)) if answer.len() == out.len() => {
                out.copy_from_slice(&answer);
                Ok(())
            }
            Ok(Err(Refusal::Memory)) => {
                Err(DeviceError::OutOfMemory { detail: "a shard of a weight".to_owned() })
            }
            Ok(_) => Err(lost("a thread answered something else")),
            Err(_) => Err(lost("a thread has ended")),
        }
    }
}

fn lost(reason: &str) -> DeviceError {
    DeviceError::Lost { reason: reason.to_owned() }
}
