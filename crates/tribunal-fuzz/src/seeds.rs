//! Tables that are as they should be, in every format: small, with every kind of column and with values missing.

use std::sync::Arc;

use ::parquet::arrow::ArrowWriter;
use ::parquet::basic::{Compression, Encoding, ZstdLevel};
use ::parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, DictionaryArray, Float64Array, Int32Array, Int64Array, ListArray,
    NullArray, RecordBatch, RunArray, StringArray, StringViewArray,
};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_schema::ArrowError;

use crate::tables::compressed;

const CSV: &str = "score,label,age,make,when,empty\n0.5,fraud,41,Fiat,2001-02-03,\n0.25,legit,,\"a, \"\"b\"\"\",2001-03-04,\n\
                   1e-3,legit,33,'x',,\n-inf,fraud,NA,\"two\nlines\",2002-01-01,\n";

pub(crate) fn csv() -> Vec<Vec<u8>> {
    let many: String =
        (0..400).map(|row| format!("0.{row},{},{},m{}\n", row % 2, row % 70, row % 9)).collect();
    let texts = [
        CSV.to_owned(),
        CSV.replace('\n', "\r\n"),
        format!("\u{feff}{}", CSV.replace(',', ";").replace('.', ",")),
        format!("score|label|n|m\n{}", many.replace(',', "|")),
        "a,b\n'x,y',2\n'z',3\n".to_owned(),
        "0.5,1\n0.7,0\n".to_owned(),
        "only\n1\n2\n\n3".to_owned(),
    ];
    texts.map(String::into_bytes).to_vec()
}

pub(crate) fn tsv() -> Vec<Vec<u8>> {
    let texts = ["id\tscore\tlabel\n1\t0.5\tyes\n2\t\tno\n3\t0.75\t\"a\tb\"\n", "a\tb c\n1\t2, 3\n4\t5\n"];
    texts.map(|text| text.as_bytes().to_vec()).to_vec()
}

pub(crate) fn gzip() -> Vec<Vec<u8>> {
    let texts = csv();
    let whole = texts.iter().map(|text| compressed(text)).collect::<Vec<_>>();
    let two = [whole[0].clone(), compressed(b"0.75,legit,20,VW,,\n")].concat();
    whole.into_iter().chain([two, texts[0].clone()]).collect()
}

pub(crate) fn json_lines() -> Vec<Vec<u8>> {
    let texts = [
        "{\"score\": 0.5, \"label\": \"fraud\", \"n\": 1, \"flag\": true}\n{\"score\": null, \"label\": \"legit\", \"n\": -2}\n\
         {\"label\": 1, \"list\": [1, {\"a\": \"b\"}], \"score\": \"0.25\"}\n",
        "{\"a\": \"\\u00e9\\ud83d\\ude00\\n\", \"b\": 1e-7}\n\n{\"b\": 123456789012345678901234567890}\n",
    ];
    texts.map(|text| text.as_bytes().to_vec()).to_vec()
}

pub(crate) fn arff() -> Vec<Vec<u8>> {
    let texts = [
        "% weather\n@relation weather\n@attribute outlook {sunny, 'over cast', rainy}\n@attribute temp real\n\
         @attribute note string\n@attribute day date 'yyyy-MM-dd'\n@attribute play {yes,no}\n@data\nsunny,85,'hot, dry',\
         '2001-02-03',no\n'over cast',?,\"it\\'s\",?,yes\n{0 rainy, 1 64}\n",
        "@RELATION x\n@ATTRIBUTE a NUMERIC\n@ATTRIBUTE b {0,1}\n@DATA\n1,0\n2,1\n\n%\n3,?\n",
    ];
    texts.map(|text| text.as_bytes().to_vec()).to_vec()
}

/// A column of each type, `n_rows` long.
fn batch(n_rows: usize) -> Result<RecordBatch, ArrowError> {
    let rows = || 0..n_rows;
    let known = |row: usize| row % 5 != 3;
    let labels = ["fraud", "legit", "", "a label of more than twelve bytes"];
    let label = |row: usize| known(row).then_some(labels[row % 4]);
    let run_ends = Int32Array::from(vec![1, n_rows as i32]);
    let lists = rows().map(|row| known(row).then(|| vec![Some(row as i32); row % 3]));
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("score", Arc::new(rows().map(|row| row as f64 / 7.0).collect::<Float64Array>())),
        (
            "tied",
            Arc::new(rows().map(|row| known(row).then_some((row % 3) as f64)).collect::<Float64Array>()),
        ),
        ("long", Arc::new(rows().map(|row| known(row).then_some(row as i64 - 2)).collect::<Int64Array>())),
        ("int", Arc::new(rows().map(|row| row as i32 % 2).collect::<Int32Array>())),
        ("flag", Arc::new(rows().map(|row| known(row).then_some(row % 2 == 0)).collect::<BooleanArray>())),
        ("text", Arc::new(rows().map(label).collect::<StringArray>())),
        ("view", Arc::new(rows().map(label).collect::<StringViewArray>())),
        ("coded", Arc::new(rows().map(label).collect::<DictionaryArray<Int32Type>>())),
        ("day", Arc::new(rows().map(|row| known(row).then_some(row as i32)).collect::<Date32Array>())),
        ("list", Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(lists))),
        ("nothing", Arc::new(NullArray::new(n_rows))),
        ("run", Arc::new(RunArray::<Int32Type>::try_new(&run_ends, &Float64Array::from(vec![0.5, 2.0]))?)),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true)))
}

fn compressions() -> [Option<CompressionType>; 3] {
    [None, Some(CompressionType::LZ4_FRAME), Some(CompressionType::ZSTD)]
}

fn options(compression: Option<CompressionType>) -> Result<IpcWriteOptions, ArrowError> {
    IpcWriteOptions::default().try_with_compression(compression)
}

pub(crate) fn arrow_file() -> Vec<Vec<u8>> {
    let written = |compression| {
        let batch = batch(11)?;
        let mut writer =
            FileWriter::try_new_with_options(Vec::new(), &batch.schema(), options(compression)?)?;
        writer.write(&batch)?;
        writer.write(&batch.slice(2, 5))?;
        writer.into_inner()
    };
    compressions().into_iter().filter_map(|compression| written(compression).ok()).collect()
}

pub(crate) fn arrow_stream() -> Vec<Vec<u8>> {
    let written = |compression| {
        let batch = batch(11)?;
        let mut writer =
            StreamWriter::try_new_with_options(Vec::new(), &batch.schema(), options(compression)?)?;
        writer.write(&batch)?;
        writer.write(&batch.slice(2, 5))?;
        writer.into_inner()
    };
    compressions().into_iter().filter_map(|compression| written(compression).ok()).collect()
}

pub(crate) fn parquet() -> Vec<Vec<u8>> {
    let texts: Vec<_> = ["text", "view"].map(Into::into).to_vec();
    let plain = |properties: WriterPropertiesBuilder, encoding| {
        let set = |properties: WriterPropertiesBuilder, column: &::parquet::schema::types::ColumnPath| {
            properties.set_column_encoding(column.clone(), encoding)
        };
        texts.iter().fold(properties.set_dictionary_enabled(false), set)
    };
    let builder = WriterProperties::builder;
    let second = || builder().set_writer_version(WriterVersion::PARQUET_2_0);
    let zstd = Compression::ZSTD(ZstdLevel::default());
    let kinds = [
        builder(),
        second().set_compression(Compression::SNAPPY),
        builder().set_compression(zstd).set_data_page_row_count_limit(4).set_write_batch_size(2),
        second().set_compression(Compression::LZ4_RAW),
        builder().set_compression(Compression::GZIP(Default::default())),
        plain(builder(), Encoding::PLAIN),
        plain(second(), Encoding::DELTA_LENGTH_BYTE_ARRAY),
        plain(second(), Encoding::DELTA_BYTE_ARRAY).set_compression(zstd),
        builder().set_write_page_header_statistics(true),
    ];
    kinds.into_iter().filter_map(|properties| written(properties.build()).ok()).collect()
}

fn written(properties: WriterProperties) -> ::parquet::errors::Result<Vec<u8>> {
    // Runs are not written to Parquet.
    let batch = batch(11)?;
    let columns: Vec<usize> = (0..batch.num_columns() - 1).collect();
    let batch = batch.project(&columns)?;
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties))?;
    writer.write(&batch)?;
    writer.flush()?;
    writer.write(&batch.slice(0, 3))?;
    writer.close()?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_file_can_be_written() {
        assert_eq!((arrow_file().len(), arrow_stream().len(), parquet().len()), (3, 3, 9));
    }
}
