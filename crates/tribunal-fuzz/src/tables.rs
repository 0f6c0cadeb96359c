//! Tables: opened, read as numbers, cells and labels, copied and described.

use std::io::Write;

use tribunal::DataRequest;
use tribunal_io::{Error, ReadOptions, Source, TableReader, Want};

use crate::scratch_file;

/// So many columns are read; a mutated header may name thousands.
const MOST_COLUMNS: usize = 32;

pub(crate) fn run(bytes: &[u8]) {
    let Some(path) = scratch_file("table", bytes) else { return };
    let Ok(source) = Source::open(&[path]) else { return };
    read(&source);
    let _ = tribunal::describe(&source, &DataRequest::default(), 1, &|_| ());
}

/// Bytes that are not gzip are compressed first, so that what they say is reached at all.
pub(crate) fn run_gzip(bytes: &[u8]) {
    if bytes.starts_with(b"\x1F\x8B") {
        return run(bytes);
    }
    run(&compressed(bytes));
}

pub(crate) fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.unwrap_or_default()
}

fn read(source: &Source) {
    let Ok(table) = TableReader::open(source, &ReadOptions::default()) else { return };
    let names: Vec<String> =
        table.columns().iter().take(MOST_COLUMNS).map(|column| column.name.clone()).collect();
    let kinds: [fn(&str) -> Want; 3] =
        [|name| Want::number(name), |name| Want::cell(name), |name| Want::label(name)];
    for kind in kinds {
        let wanted: Vec<Want> = names.iter().map(|name| kind(name)).collect();
        let _ = table.read::<Error>(&wanted, &|_| (), &mut |_| Ok(()));
        // One column that cannot be read as asked hides all others.
        for want in wanted {
            let _ = table.read::<Error>(&[want], &|_| (), &mut |_| Ok(()));
        }
    }
}
