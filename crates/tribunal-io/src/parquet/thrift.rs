//! Just enough of Thrift's compact protocol to hold the sizes in footers and page headers against the bytes that follow.
//!
//! The decoder of the `parquet` crate reserves memory for as many row groups, and as many bytes of a page, as a file
//! claims. Whoever can be passed over here, value by value, claims no more than is there.

/// Values may be nested so deep; those of Parquet are not.
const DEEPEST: usize = 16;

/// How the types of fields are written.
const BOOLEANS: [u8; 2] = [1, 2];
const BYTE: u8 = 3;
const INTEGERS: [u8; 3] = [4, 5, 6];
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const MAP: u8 = 11;
const STRUCT: u8 = 12;
const UUID: u8 = 13;

/// What a known field holds. The decoder reads known fields as what they should be, whatever type is written, so a field of
/// another type would lead it to other places than this one.
enum Known {
    Boolean,
    Byte,
    Integer,
    Binary,
    Struct(&'static [(i64, Known)]),
    List(&'static Known),
}

/// `FileMetaData`, as far as the decoder needs to find the row groups.
const FOOTER: Known =
    Known::Struct(&[(1, Known::Integer), (2, Known::List(&ELEMENT)), (3, Known::Integer), (4, GROUPS)]);
const GROUPS: Known = Known::List(&Known::Struct(&[]));
const ELEMENT: Known = Known::Struct(&[
    (1, Known::Integer),
    (2, Known::Integer),
    (3, Known::Integer),
    (4, Known::Binary),
    (5, Known::Integer),
    (6, Known::Integer),
    (7, Known::Integer),
    (8, Known::Integer),
    (9, Known::Integer),
    (10, LOGICAL_TYPE),
]);
const LOGICAL_TYPE: Known = Known::Struct(&[
    (1, EMPTY),
    (2, EMPTY),
    (3, EMPTY),
    (4, EMPTY),
    (5, Known::Struct(&[(1, Known::Integer), (2, Known::Integer)])),
    (6, EMPTY),
    (7, TIME),
    (8, TIME),
    (10, Known::Struct(&[(1, Known::Byte), (2, Known::Boolean)])),
    (11, EMPTY),
    (12, EMPTY),
    (13, EMPTY),
    (14, EMPTY),
    (15, EMPTY),
    (16, Known::Struct(&[(1, Known::Byte)])),
    (17, Known::Struct(&[(1, Known::Binary)])),
    (18, Known::Struct(&[(1, Known::Binary), (2, Known::Integer)])),
]);
const TIME: Known =
    Known::Struct(&[(1, Known::Boolean), (2, Known::Struct(&[(1, EMPTY), (2, EMPTY), (3, EMPTY)]))]);
const EMPTY: Known = Known::Struct(&[]);

/// Whether everything that a footer claims is in it.
pub(super) fn is_whole_footer(bytes: &[u8]) -> bool {
    Compact { rest: bytes }.pass(STRUCT, Some(&FOOTER), DEEPEST).is_some()
}

/// What the header of a page says of sizes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PageHeader {
    /// How long the header itself is.
    pub(super) length: usize,
    pub(super) uncompressed: i64,
    pub(super) compressed: i64,
    /// How many values a dictionary has.
    pub(super) dictionary_values: i64,
}

impl PageHeader {
    /// The header at the start of some bytes; `None` if it does not end within them or makes no sense.
    pub(super) fn read(bytes: &[u8]) -> Option<PageHeader> {
        const UNCOMPRESSED: i64 = 2;
        const COMPRESSED: i64 = 3;
        const DICTIONARY: i64 = 7;
        let mut compact = Compact { rest: bytes };
        let mut header = PageHeader::default();
        compact.fields(|compact, field, written| match field {
            UNCOMPRESSED => compact.integer(written).map(|value| header.uncompressed = value),
            COMPRESSED => compact.integer(written).map(|value| header.compressed = value),
            1 | 4 => compact.integer(written).map(drop),
            DICTIONARY if written == STRUCT => compact.fields(|compact, field, written| match field {
                1 => compact.integer(written).map(|value| header.dictionary_values = value),
                _ => compact.pass(written, None, DEEPEST),
            }),
            5..=8 if written != STRUCT => None,
            _ => compact.pass(written, None, DEEPEST),
        })?;
        header.length = bytes.len() - compact.rest.len();
        Some(header)
    }
}

/// A number in as many bytes as it needs, seven bits each.
pub(super) fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

/// Bytes of the compact protocol that have not been passed over.
struct Compact<'a> {
    rest: &'a [u8],
}

impl Compact<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(byte)
    }

    fn skip(&mut self, n_bytes: u64) -> Option<()> {
        self.rest = self.rest.get(usize::try_from(n_bytes).ok()?..)?;
        Some(())
    }

    fn varint(&mut self) -> Option<u64> {
        varint(&mut self.rest)
    }

    fn zigzag(&mut self) -> Option<i64> {
        let value = self.varint()?;
        Some((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    fn integer(&mut self, written: u8) -> Option<i64> {
        if INTEGERS.contains(&written) { self.zigzag() } else { None }
    }

    /// Sees every field of a struct: its number and its type. Whoever sees it passes over its value.
    fn fields(&mut self, mut see: impl FnMut(&mut Self, i64, u8) -> Option<()>) -> Option<()> {
        let mut field = 0_i64;
        loop {
            let head = self.byte()?;
            let (step, written) = (head >> 4, head & 0x0F);
            if written == 0 {
                return Some(());
            }
            field = if step == 0 { self.zigzag()? } else { field.checked_add(i64::from(step))? };
            see(self, field, written)?;
        }
    }

    /// Passes over a value of a type, which must be the one that is known.
    fn pass(&mut self, written: u8, known: Option<&Known>, depth: usize) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        known.is_none_or(|known| known.is_written(written)).then_some(())?;
        match written {
            1 | 2 => Some(()),
            BYTE => self.skip(1),
            DOUBLE => self.skip(8),
            UUID => self.skip(16),
            4..=6 => self.varint().map(drop),
            BINARY => {
                let length = self.varint()?;
                self.skip(length)
            }
            LIST | SET => self.pass_list(known, depth),
            MAP => self.pass_map(depth),
            STRUCT => self.fields(|compact, field, written| {
                let inner = match known {
                    Some(Known::Struct(fields)) => fields.iter().find(|(known, _)| *known == field),
                    _ => None,
                };
                compact.pass(written, inner.map(|(_, known)| known), depth)
            }),
            _ => None,
        }
    }

    fn pass_list(&mut self, known: Option<&Known>, depth: usize) -> Option<()> {
        let head = self.byte()?;
        let n_elements = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
        let inner = match known {
            Some(Known::List(inner)) => Some(*inner),
            _ => None,
        };
        (0..n_elements).try_for_each(|_| self.pass_element(head & 0x0F, inner, depth))
    }

    fn pass_map(&mut self, depth: usize) -> Option<()> {
        let n_entries = self.varint()?;
        let types = if n_entries > 0 { self.byte()? } else { 0 };
        (0..n_entries).try_for_each(|_| {
            self.pass_element(types >> 4, None, depth)?;
            self.pass_element(types & 0x0F, None, depth)
        })
    }

    /// A truth value takes a byte here, and none as a field.
    fn pass_element(&mut self, written: u8, known: Option<&Known>, depth: usize) -> Option<()> {
        if BOOLEANS.contains(&written) { self.skip(1) } else { self.pass(written, known, depth) }
    }
}

impl Known {
    fn is_written(&self, written: u8) -> bool {
        match self {
            Known::Boolean => BOOLEANS.contains(&written),
            Known::Byte => written == BYTE,
            Known::Integer => INTEGERS.contains(&written),
            Known::Binary => written == BINARY,
            Known::Struct(_) => written == STRUCT,
            Known::List(_) => written == LIST,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_a_page_are_found_behind_statistics() {
        // type 0, uncompressed 300, compressed 200, a data page header with 5 values and a minimum of two bytes.
        let bytes = [
            0x15, 0x00, 0x15, 0xD8, 0x04, 0x15, 0x90, 0x03, 0x2C, 0x15, 0x0A, 0x4C, 0x28, 2, b'a', b'b',
            0x00, 0x00, 0x00, 0xEE,
        ];
        let expected = PageHeader { length: 19, uncompressed: 300, compressed: 200, dictionary_values: 0 };
        assert_eq!(PageHeader::read(&bytes), Some(expected));
        assert_eq!(PageHeader::read(&bytes[..18]), None);
    }

    #[test]
    fn a_list_that_claims_more_than_is_there_is_not_whole() {
        // version 1, no schema elements, 0 rows, a list of 2^31 - 1 row groups without any byte.
        let claims = [0x15, 2, 0x19, 0x0C, 0x16, 0, 0x19, 0xFC, 0xFF, 0xFF, 0xFF, 0xFF, 0x07, 0];
        assert!(!is_whole_footer(&claims));
        let none = [0x15, 2, 0x19, 0x0C, 0x16, 0, 0x19, 0x0C, 0];
        assert!(is_whole_footer(&none));
        // The same where the list of row groups is written as a number.
        assert!(!is_whole_footer(&[0x15, 2, 0x19, 0x0C, 0x16, 0, 0x16, 0xFC, 0x01, 0]));
    }
}
