//! The crate as its users meet it: files on disk, read through the public interface.

mod copy;
mod csv;
mod errors;
mod folder;
mod formats;
mod hostile;
mod wide;
mod write;
