//! The parts that tests use: each a few of them.
#![allow(dead_code)]

pub mod blocks;
pub mod cases;
pub mod files;
pub mod real;
pub mod subject;
pub mod text;
