//! Any text as a message of a page: no panic, and what is understood is written and understood again as the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pith_worker::protocol::RequestMessage;

fuzz_target!(|input: &[u8]| {
    let Ok(message) = serde_json::from_slice::<RequestMessage>(input) else { return };
    let text = serde_json::to_string(&message).expect("plain data can be written");
    let again: RequestMessage = serde_json::from_str(&text).expect("what was written can be read");
    assert_eq!(serde_json::to_string(&again).expect("plain data can be written"), text);
});
