//! The codebooks of the IQ formats: each entry is 16 bits, the first value lowest.

pub mod iq1;
pub mod iq2_s;
pub mod iq2_xs;
pub mod iq2_xxs;
pub mod iq3_s;
pub mod iq3_xxs;
