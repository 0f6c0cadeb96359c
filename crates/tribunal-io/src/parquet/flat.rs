//! Columns of the plainest and commonest kind, read without the detour through Arrow arrays.
//!
//! A score is a double, a label a whole number, a boolean or a text of a small dictionary, and nothing is missing. Then
//! the codes of a dictionary can be used as they are, and of the amounts only those that count need be looked
//! at. Everything else is `None` here, and read the general way; so is every error, which is found and told there.

use std::fs::File;
use std::sync::Arc;

use arrow_buffer::Buffer;
use arrow_schema::DataType;
use parquet::arrow::arrow_reader::ArrowReaderMetadata;
use parquet::basic::Type;

use super::pages::{Pages, Values};
use crate::batch::{Labels, Numbers};
use crate::chunk::{ChunkColumn, LocalLabels};
use crate::columnar::{counting_rows, holds};
use crate::dictionary::Dictionary;
use crate::draft::CodedNumbers;
use crate::file_table::Slot;
use crate::table::{Holds, WantKind};

/// A dictionary of more values is not worth a table of its own.
const MOST_CODES: usize = 1 << 12;

/// No label has this code: the dictionary would have to hold four thousand million.
const UNKNOWN: u32 = u32::MAX - 1;

/// The wanted columns of a row group.
pub(super) struct FlatColumns<'a> {
    slots: &'a [Slot],
    columns: Vec<FlatColumn>,
}

/// A column with what is known of its dictionary.
enum FlatColumn {
    Numbers { pages: Pages, values: Option<Arc<[f64]>> },
    Labels { pages: Pages, column_type: Type, texts: Option<Vec<String>> },
}

impl<'a> FlatColumns<'a> {
    /// The columns of a row group from a row on, if all of them are of the plainest kind.
    pub(super) fn open(
        file: File,
        metadata: &ArrowReaderMetadata,
        group: usize,
        start: usize,
        slots: &'a [Slot],
    ) -> Option<Self> {
        let file = Arc::new(file);
        let columns = slots.iter().map(|slot| FlatColumn::open(&file, metadata, group, start, slot));
        Some(FlatColumns { slots, columns: columns.collect::<Option<_>>()? })
    }

    /// The next rows of each slot.
    pub(super) fn next(&mut self, n_rows: usize) -> Option<Vec<ChunkColumn>> {
        let mut found: Vec<Option<ChunkColumn>> = self.slots.iter().map(|_| None).collect();
        // Labels that decide on rows have no condition themselves, so they are there when they are needed.
        for is_conditional in [false, true] {
            for (idx, slot) in self.slots.iter().enumerate() {
                if slot.condition.is_some() == is_conditional {
                    let rows = counting_rows(slot, &found);
                    found[idx] = Some(self.columns[idx].next(n_rows, rows.as_deref())?);
                }
            }
        }
        Some(found.into_iter().flatten().collect())
    }
}

impl FlatColumn {
    fn open(
        file: &Arc<File>,
        metadata: &ArrowReaderMetadata,
        group: usize,
        start: usize,
        slot: &Slot,
    ) -> Option<Self> {
        let (root, schema) = (slot.column?, metadata.parquet_schema());
        let leaf = (0..schema.num_columns()).find(|&leaf| schema.get_column_root_idx(leaf) == root)?;
        let group = metadata.metadata().row_group(group);
        let data_type = metadata.schema().field(root).data_type();
        let column_type = group.column(leaf).column_type();
        let is_flat = match (slot.kind, column_type, data_type) {
            (WantKind::Number | WantKind::Cell, Type::DOUBLE, DataType::Float64) => true,
            (WantKind::Label, Type::INT64, DataType::Int64) => true,
            (WantKind::Label, Type::INT32, DataType::Int32) => true,
            (WantKind::Label, Type::BOOLEAN, DataType::Boolean) => true,
            (WantKind::Label, Type::BYTE_ARRAY, data_type) => holds(data_type) == Holds::Texts,
            _ => false,
        };
        let mut pages = if is_flat { Pages::open(file, group, leaf)? } else { return None };
        pages.skip(start)?;
        Some(match slot.kind {
            WantKind::Number | WantKind::Cell => FlatColumn::Numbers { pages, values: None },
            WantKind::Label => FlatColumn::Labels { pages, column_type, texts: None },
        })
    }

    fn next(&mut self, n_rows: usize, rows: Option<&[bool]>) -> Option<ChunkColumn> {
        match (self, rows) {
            (FlatColumn::Numbers { pages, values }, None) => numbers(pages, values, n_rows),
            (FlatColumn::Numbers { pages, values }, Some(rows)) => numbers_on(pages, values, rows),
            (FlatColumn::Labels { pages, column_type, texts }, _) => {
                labels(pages, *column_type, texts, n_rows)
            }
        }
    }
}

/// The dictionary as numbers, decoded when it is first needed.
fn listed<'v>(pages: &Pages, values: &'v mut Option<Arc<[f64]>>) -> &'v Arc<[f64]> {
    values.get_or_insert_with(|| doubles(pages.dictionary().map_or(&[], Buffer::as_slice)).collect())
}

fn doubles(bytes: &[u8]) -> impl Iterator<Item = f64> {
    bytes.as_chunks().0.iter().map(|&bytes| f64::from_le_bytes(bytes))
}

/// Numbers; as codes if the rows have none but codes of a small dictionary.
fn numbers(pages: &mut Pages, listed_values: &mut Option<Arc<[f64]>>, n_rows: usize) -> Option<ChunkColumn> {
    pages.advance()?;
    let listed = listed(pages, listed_values).clone();
    let is_short = pages.is_coded() && listed.len() <= MOST_CODES;
    let codes = if is_short { codes(pages, n_rows)? } else { Vec::new() };
    if codes.iter().copied().max().is_some_and(|highest| usize::from(highest) >= listed.len()) {
        return None;
    }
    if codes.len() == n_rows {
        return Some(ChunkColumn::Coded(CodedNumbers { codes, values: listed }));
    }
    let mut values = Vec::with_capacity(n_rows);
    values.extend(codes.iter().map(|&code| listed[usize::from(code)]));
    while values.len() < n_rows {
        let (n, next) = pages.next(n_rows - values.len())?;
        match next {
            Values::Plain(bytes) => values.extend(doubles(bytes)),
            Values::Coded(run) => {
                let (start, mut highest) = (values.len(), 0);
                values.resize(start + n, 0.0);
                run.unpack(&mut values[start..], |code| {
                    highest = highest.max(code as usize);
                    listed.get(code as usize).copied().unwrap_or_default()
                });
                (highest < listed.len()).then_some(())?;
            }
        }
    }
    Some(ChunkColumn::Number(Numbers::new(values, None)))
}

/// The codes of the next rows, as far as they are coded.
fn codes(pages: &mut Pages, n_rows: usize) -> Option<Vec<u16>> {
    let (mut codes, mut filled) = (vec![0; n_rows], 0);
    while filled < n_rows && pages.advance().is_some() && pages.is_coded() {
        let (n, Values::Coded(run)) = pages.next(n_rows - filled)? else { return None };
        // What is too large for a code of a small dictionary must not become one.
        run.unpack(&mut codes[filled..filled + n], |code| u16::try_from(code).unwrap_or(u16::MAX));
        filled += n;
    }
    codes.truncate(filled);
    Some(codes)
}

/// Numbers on the rows that count, zeros on the others, which are not looked at.
fn numbers_on(
    pages: &mut Pages,
    listed_values: &mut Option<Arc<[f64]>>,
    rows: &[bool],
) -> Option<ChunkColumn> {
    pages.advance()?;
    let listed = listed(pages, listed_values).clone();
    let counting = positions(rows);
    let mut counting = counting.iter().map(|&row| row as usize).peekable();
    let mut values = vec![0.0; rows.len()];
    let mut start = 0;
    while start < rows.len() {
        let (n, next) = pages.next(rows.len() - start)?;
        let end = start + n;
        while let Some(row) = counting.next_if(|&row| row < end) {
            values[row] = match next {
                Values::Coded(run) => *listed.get(run.get(row - start) as usize)?,
                Values::Plain(bytes) => {
                    let at = (row - start) * 8;
                    f64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?)
                }
            };
        }
        start = end;
    }
    Some(ChunkColumn::Number(Numbers::new(values, None)))
}

/// The rows that count, found without a branch on them.
fn positions(rows: &[bool]) -> Vec<u32> {
    let mut positions = vec![0; rows.len()];
    let mut n = 0;
    for (row, &counts) in rows.iter().enumerate() {
        positions[n] = row as u32;
        n += usize::from(counts);
    }
    positions.truncate(n);
    positions
}

/// Labels by the texts of a small dictionary.
fn labels(
    pages: &mut Pages,
    column_type: Type,
    known: &mut Option<Vec<String>>,
    n_rows: usize,
) -> Option<ChunkColumn> {
    pages.advance()?;
    if known.is_none() {
        *known = Some(texts(pages, column_type)?);
    }
    let texts = known.as_deref().filter(|texts| texts.len() <= MOST_CODES)?;
    let mut labels = LocalLabels { codes: vec![0; n_rows], ..LocalLabels::default() };
    let mut of_code = vec![UNKNOWN; texts.len()];
    let mut filled = 0;
    while filled < n_rows {
        let (n, Values::Coded(run)) = pages.next(n_rows - filled)? else { return None };
        let rows = &mut labels.codes[filled..filled + n];
        let translate = |of_code: &[u32], rows: &mut [u32]| {
            run.unpack(rows, |code| of_code.get(code as usize).copied().unwrap_or(UNKNOWN));
        };
        translate(&of_code, rows);
        // A label met for the first time gets its code, and the run is read again.
        if rows.contains(&UNKNOWN) {
            for code in (0..n).map(|idx| run.get(idx) as usize) {
                if *of_code.get(code)? == UNKNOWN {
                    of_code[code] = code_of(&mut labels.dictionary, &texts[code]);
                }
            }
            translate(&of_code, rows);
        }
        filled += n;
    }
    Some(ChunkColumn::Label(labels))
}

/// The code of a label, new or not; an empty one is missing.
fn code_of(dictionary: &mut Dictionary, label: &str) -> u32 {
    if label.is_empty() { Labels::MISSING } else { dictionary.code_of(label) }
}

/// The dictionary as texts.
fn texts(pages: &Pages, column_type: Type) -> Option<Vec<String>> {
    if column_type == Type::BOOLEAN {
        return Some(vec!["false".into(), "true".into()]);
    }
    let mut bytes = pages.dictionary()?.as_slice();
    match column_type {
        Type::INT64 => {
            Some(bytes.as_chunks().0.iter().map(|&bytes| i64::from_le_bytes(bytes).to_string()).collect())
        }
        Type::INT32 => {
            Some(bytes.as_chunks().0.iter().map(|&bytes| i32::from_le_bytes(bytes).to_string()).collect())
        }
        Type::BYTE_ARRAY => {
            let mut texts = Vec::new();
            while let Some((length, rest)) = bytes.split_first_chunk() {
                let (text, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
                texts.push(str::from_utf8(text).ok()?.to_owned());
                bytes = rest;
            }
            Some(texts)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::Chunk;
    use crate::file_table::FileTable;
    use crate::parquet::{BATCH_ROWS, ParquetTable, Piece};
    use crate::source::Source;
    use crate::table::Want;
    use arrow_array::{
        ArrayRef, BooleanArray, Float64Array, Int32Array, Int64Array, RecordBatch, StringArray,
    };
    use parquet::arrow::ArrowWriter;
    use parquet::basic::{Compression, Encoding};
    use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};

    const N_ROWS: usize = 20_000;

    /// A table with columns for each kind; `missing` tells which scores are not there.
    fn table(missing: impl Fn(usize) -> bool) -> RecordBatch {
        let mixed = |row: usize| (row as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        let rows = || 0..N_ROWS;
        let continuous = rows().map(|row| (!missing(row)).then(|| mixed(row) as f64 / 1e3));
        let tied = rows().map(|row| (!missing(row)).then(|| (mixed(row) % 100) as f64 / 100.0));
        let is_positive = |row: usize| mixed(row) % 10 == 3;
        let text = |row: usize| if is_positive(row) { "fraud" } else { ["legit", "legit", ""][row % 3] };
        let columns: [(&str, ArrayRef); 7] = [
            ("continuous", Arc::new(continuous.collect::<Float64Array>())),
            ("tied", Arc::new(tied.collect::<Float64Array>())),
            ("amount", Arc::new(rows().map(|row| Some(mixed(row) as f64 / 7.0)).collect::<Float64Array>())),
            (
                "long",
                Arc::new(rows().map(|row| Some(i64::from(is_positive(row)) - 1)).collect::<Int64Array>()),
            ),
            ("int", Arc::new(rows().map(|row| Some(i32::from(is_positive(row)))).collect::<Int32Array>())),
            ("flag", Arc::new(rows().map(|row| Some(is_positive(row))).collect::<BooleanArray>())),
            ("text", Arc::new(rows().map(|row| Some(text(row))).collect::<StringArray>())),
        ];
        RecordBatch::try_from_iter(columns).expect("a table")
    }

    fn written(
        batch: &RecordBatch,
        properties: WriterPropertiesBuilder,
    ) -> (tempfile::TempDir, ParquetTable) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("flat.parquet");
        let properties = properties.set_max_row_group_row_count(Some(7_000)).build();
        let file = File::create(&path).expect("a file");
        let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties)).expect("a writer");
        writer.write(batch).expect("rows");
        writer.close().expect("a footer");
        let source = Source::open(&[path.to_string_lossy()]).expect("a source");
        let table = ParquetTable::open(&source.inputs()[0]).expect("a table");
        (folder, table)
    }

    /// The chunks row by row, codes decoded.
    fn told(chunks: Vec<Chunk>) -> Vec<String> {
        let cells = |column: ChunkColumn, n_rows: usize| {
            let numbers = match column {
                ChunkColumn::Number(numbers) | ChunkColumn::Conditional { numbers, .. } => numbers,
                ChunkColumn::Coded(coded) => coded.decode(),
                ChunkColumn::Label(labels) => {
                    let text = |code: &u32| format!("{code} {:?} ", labels.dictionary.text(*code));
                    return labels.codes.iter().map(text).collect::<Vec<_>>();
                }
            };
            (0..n_rows).map(|row| format!("{:?} ", numbers.get(row).map(f64::to_bits))).collect()
        };
        let rows = |chunk: Chunk| {
            let columns: Vec<_> = chunk.columns.into_iter().map(|column| cells(column, chunk.rows)).collect();
            (0..chunk.rows)
                .map(|row| columns.iter().map(|cells| &*cells[row]).collect::<String>())
                .collect::<Vec<_>>()
        };
        chunks.into_iter().flat_map(rows).collect()
    }

    /// Reads every row group, whole and from its middle, both ways; tells how many rows were flat.
    fn check(table: &ParquetTable, wanted: &[Want]) -> usize {
        let group_end = |group: usize| (N_ROWS - group * 7_000).min(7_000);
        check_pieces(table, wanted, |group| vec![0..group_end(group), 2_345..group_end(group)])
    }

    fn check_pieces(
        table: &ParquetTable,
        wanted: &[Want],
        pieces: impl Fn(usize) -> Vec<std::ops::Range<usize>>,
    ) -> usize {
        let slots = table.plan(wanted).expect("the columns");
        let mut n_flat = 0;
        for group in 0..N_ROWS.div_ceil(7_000) {
            for rows in pieces(group) {
                let piece = || Piece { group, rows: rows.clone() };
                let (mut flat, mut all, mut general) = (Vec::new(), Vec::new(), Vec::new());
                n_flat += table.decode_flat(&piece(), &slots, &mut |chunk| flat.push(chunk)).expect("rows");
                table.decode(piece(), &slots, &mut |chunk| all.push(chunk)).expect("rows");
                table.decode_arrow(piece(), &slots, &mut |chunk| general.push(chunk)).expect("rows");
                let expected = told(general);
                assert_eq!(told(all), expected);
                assert!(expected.starts_with(&told(flat)));
            }
        }
        n_flat
    }

    const ALL_ROWS: usize = 2 * N_ROWS - 3 * 2_345;

    fn wanted(score: &str, label: &str) -> [Want; 3] {
        let is_positive = |label: &str| matches!(label, "0" | "1" | "true" | "fraud");
        [Want::label(label), Want::number_where("amount", label, is_positive), Want::number(score)]
    }

    /// Pages and dictionaries that are small beside the row groups, so that all borders are met.
    fn small_pages() -> WriterPropertiesBuilder {
        let pages = WriterProperties::builder().set_data_page_row_count_limit(900).set_write_batch_size(300);
        pages.set_dictionary_page_size_limit(16 << 10)
    }

    #[test]
    fn every_column_reads_as_it_does_the_general_way() {
        let batch = table(|_| false);
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            for compression in [Compression::UNCOMPRESSED, Compression::SNAPPY, Compression::LZ4_RAW] {
                let properties = small_pages().set_writer_version(version).set_compression(compression);
                // Version 2 writes what leaves its dictionary in other encodings than plain.
                let properties = properties.set_column_encoding("continuous".into(), Encoding::PLAIN);
                let properties = properties.set_column_encoding("amount".into(), Encoding::PLAIN);
                let (_folder, table) = written(&batch, properties);
                for label in ["long", "int", "flag", "text"] {
                    for score in ["continuous", "tied"] {
                        let n_flat = check(&table, &wanted(score, label));
                        assert_eq!(n_flat, ALL_ROWS, "{score}, {label}, {version:?}, {compression:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn few_numbers_stay_codes_and_many_become_numbers() {
        let (_folder, table) = written(&table(|_| false), small_pages());
        let slots = table.plan(&[Want::number("tied"), Want::number("continuous")]).expect("the columns");
        let mut columns = Vec::new();
        let piece = Piece { group: 0, rows: 0..7_000.min(BATCH_ROWS) };
        table.decode(piece, &slots, &mut |chunk| columns.extend(chunk.columns)).expect("rows");
        assert!(matches!(columns[..], [ChunkColumn::Coded(_), ChunkColumn::Number(_)]));
    }

    #[test]
    fn what_is_not_flat_is_read_the_general_way() {
        let plain = |column: &str| small_pages().set_column_dictionary_enabled(column.into(), false);
        let split = plain("tied").set_column_encoding("tied".into(), Encoding::BYTE_STREAM_SPLIT);
        let (_folder, table) = written(&table(|_| false), split);
        assert_eq!(check(&table, &wanted("tied", "long")), 0, "another encoding");
        assert_eq!(check(&table, &wanted("long", "long")), 0, "another type");

        let (_folder, table) = written(&super::tests::table(|_| false), plain("text"));
        assert_eq!(check(&table, &wanted("tied", "text")), 0, "texts without a dictionary");

        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            let properties = small_pages().set_writer_version(version);
            let (_folder, table) = written(&super::tests::table(|row| row == 8_000), properties);
            let n_flat = check(&table, &wanted("tied", "long"));
            assert_eq!(n_flat, ALL_ROWS - 7_000 - (7_000 - 2_345), "a score is missing in the second group");
            // Rows behind the page with the gap must not slip into its place, though the group has enough of them.
            for score in ["tied", "continuous"] {
                check_pieces(&table, &wanted(score, "long"), |_| vec![0..3_000, 500..1_500]);
            }
        }
    }
}
