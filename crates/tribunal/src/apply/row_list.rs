//! Rows by their numbers, written as `1,5-7`.

use std::fmt;
use std::str::FromStr;

/// Numbers of rows, from one.
///
/// ```
/// use tribunal::RowList;
///
/// let rows: RowList = "1,5-7".parse()?;
/// assert_eq!(rows.of(10), Ok(vec![0, 4, 5, 6]));
/// assert!(rows.of(6).unwrap_err().contains("row 7"));
/// assert!("0".parse::<RowList>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowList {
    /// First and last row of each range.
    ranges: Vec<(u32, u32)>,
}

impl RowList {
    /// The first rows of a table.
    pub fn first(n_rows: u32) -> Self {
        RowList { ranges: vec![(1, n_rows)] }
    }

    /// The rows of a table with so many, from zero.
    ///
    /// # Errors
    /// The table has fewer rows.
    pub fn of(&self, n_rows: usize) -> Result<Vec<u32>, String> {
        let last = self.ranges.iter().map(|range| range.1).max().unwrap_or(0);
        if last as usize > n_rows {
            return Err(format!("there is no row {last}: the table has {n_rows}; rows count from 1"));
        }
        Ok(self.ranges.iter().flat_map(|&(first, last)| first - 1..last).collect())
    }
}

impl FromStr for RowList {
    type Err = String;

    fn from_str(text: &str) -> Result<RowList, String> {
        let bad = || format!("`{text}` is no list of rows: write numbers from 1, such as 1,5-7");
        let range = |part: &str| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let number = |text: &str| text.trim().parse::<u32>().ok().filter(|&row| row >= 1);
            number(first).zip(number(last)).filter(|(first, last)| first <= last).ok_or_else(bad)
        };
        Ok(RowList { ranges: text.split(',').map(range).collect::<Result<_, String>>()? })
    }
}

impl fmt::Display for RowList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let range = |&(first, last): &(u32, u32)| match first == last {
            true => first.to_string(),
            false => format!("{first}-{last}"),
        };
        f.write_str(&self.ranges.iter().map(range).collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_read_as_they_are_written() {
        for text in ["1", "1,5-7", "3-4,3"] {
            assert_eq!(text.parse::<RowList>().map(|rows| rows.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "0", "5-3", "a", "1,,2", "-2", "1-", "4294967296"] {
            assert!(text.parse::<RowList>().is_err(), "{text}");
        }
    }
}
