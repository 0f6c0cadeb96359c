//! The crate as its users meet it: files on disk, read through the public interface.

mod csv;
mod errors;
mod folder;
mod formats;
