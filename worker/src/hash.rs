//! SHA-256: of chunks, by the browser's own code, and of whole files, piece after piece.
//!
//! It and no faster hash, because browsers have it built in, off the thread and in hardware, and because it is what hubs
//! publish of their files.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::digest::common::hazmat::{SerializableState, SerializedState};
use sha2::{Digest, Sha256};

/// A SHA-256. Written in hexadecimal.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Hash(pub [u8; 32]);

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Hash {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let bytes = unhex(text).ok_or(())?;
        bytes.try_into().map(Hash).map_err(|_| ())
    }
}

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|()| serde::de::Error::custom("not a SHA-256"))
    }
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |c: &u8| (*c as char).to_digit(16);
    let pair = |pair: &[u8]| Some((digit(&pair[0])? * 16 + digit(&pair[1])?) as u8);
    text.len().is_multiple_of(2).then(|| text.as_bytes().chunks(2).map(pair).collect())?
}

/// Blocks of 64 bytes of which anything is hashed.
const BLOCKS_MAX: u64 = 1 << 50;

/// The hash of a file so far. Its text form goes on where it was written.
#[derive(Clone, Default)]
pub struct Running(Sha256);

impl Running {
    /// Goes on with the file's next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Of everything so far.
    pub fn finish(&self) -> Hash {
        Hash(self.0.clone().finalize().into())
    }
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Running")
    }
}

impl Serialize for Running {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let hex: String = self.0.serialize().iter().map(|byte| format!("{byte:02x}")).collect();
        serializer.serialize_str(&hex)
    }
}

impl<'de> Deserialize<'de> for Running {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let wrong = || serde::de::Error::custom("not the state of a SHA-256");
        let bytes = unhex(&String::deserialize(deserializer)?).ok_or_else(wrong)?;
        // Behind the eight words of the state stands the number of blocks: the length in bits is less than 2^64.
        let blocks = bytes.get(32..40).and_then(|count| count.try_into().ok()).map(u64::from_le_bytes);
        if blocks.is_none_or(|blocks| blocks > BLOCKS_MAX) {
            return Err(wrong());
        }
        let state = SerializedState::<Sha256>::try_from(bytes.as_slice()).map_err(|_| wrong())?;
        Sha256::deserialize(&state).map(Running).map_err(|_| wrong())
    }
}

/// Of several files together: that of the one, or of the hashes of all.
pub fn joined(hashes: &[Hash]) -> Hash {
    match hashes {
        [one] => *one,
        all => {
            let mut running = Running::default();
            all.iter().for_each(|hash| running.update(&hash.0));
            running.finish()
        }
    }
}

/// The hash of some bytes.
pub async fn digest(bytes: &[u8]) -> Hash {
    #[cfg(target_arch = "wasm32")]
    if let Some(begun) = begin_digest(bytes)
        && let Some(hash) = begun.await
    {
        return hash;
    }
    Hash(Sha256::digest(bytes).into())
}

/// The hash of some bytes, which the browser has copied when this returns: it goes on beside what the thread does. Without the
/// browser's code it is there at once. `None` where the browser failed.
#[cfg(target_arch = "wasm32")]
pub fn digest_beside(bytes: &[u8]) -> impl Future<Output = Option<Hash>> + use<> {
    use futures_util::future::Either;
    match begin_digest(bytes) {
        Some(begun) => Either::Left(begun),
        None => Either::Right(std::future::ready(Some(Hash(Sha256::digest(bytes).into())))),
    }
}

/// By the browser; `None` on pages that are not served securely.
#[cfg(target_arch = "wasm32")]
fn begin_digest(bytes: &[u8]) -> Option<impl Future<Output = Option<Hash>> + use<>> {
    use crate::browser::{property, scope, settle};
    use js_sys::{ArrayBuffer, Uint8Array};
    use wasm_bindgen::JsCast;
    use web_sys::{Crypto, SubtleCrypto};

    let crypto: Crypto = scope().crypto().ok()?;
    let subtle = property(&crypto, "subtle").dyn_into::<SubtleCrypto>().ok()?;
    // A view of the wasm memory: the browser copies it before anything else runs.
    let promise = subtle.digest_with_str_and_js_u8_array("SHA-256", &Uint8Array::from(bytes)).ok()?;
    Some(async {
        let buffer: ArrayBuffer = settle(promise).await.ok()?;
        Uint8Array::new(&buffer).to_vec().try_into().ok().map(Hash)
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    /// FIPS 180-4's own example.
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn a_hash_is_written_and_read() {
        let hash: Hash = ABC.parse().unwrap();
        assert_eq!(hash.to_string(), ABC);
        assert_eq!(serde_json::from_str::<Hash>(&serde_json::to_string(&hash).unwrap()).unwrap(), hash);
        assert_eq!(ABC.to_uppercase().parse(), Ok(hash));
        for wrong in
            ["", "ab", &ABC[1..], &format!("{ABC}00"), &ABC.replace('b', "é"), &ABC.replace('b', "g")]
        {
            assert!(wrong.parse::<Hash>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_running_hash_survives_being_written() {
        for cut in 0..=3 {
            let mut running = Running::default();
            running.update(&b"abc"[..cut]);
            let text = serde_json::to_string(&running).unwrap();
            let mut later: Running = serde_json::from_str(&text).unwrap();
            later.update(&b"abc"[cut..]);
            assert_eq!(later.finish().to_string(), ABC);
        }
        assert!(serde_json::from_str::<Running>("\"00\"").is_err());
    }
}
