//! The hybrid of run lengths and packed bits in which Parquet writes codes and levels.
//!
//! Runs are handed out as they stand, so that a caller who needs one code in ten unpacks only that one.

use arrow_buffer::Buffer;

/// Codes in order, some of which have been handed out.
#[derive(Debug)]
pub(super) struct Hybrid {
    bytes: Buffer,
    /// Where the next run starts.
    at: usize,
    /// Bits a code.
    width: usize,
    run: Pending,
}

/// What is left of a run.
#[derive(Clone, Copy, Debug)]
enum Pending {
    Repeated { code: u32, left: usize },
    Packed { start: usize, end: usize, first: usize, left: usize },
}

/// Neighbouring codes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Run<'a> {
    /// One code several times.
    Repeated { code: u32, n: usize },
    /// Codes packed one after the other.
    Packed(Packed<'a>),
}

/// Codes packed one after the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packed<'a> {
    bytes: &'a [u8],
    width: usize,
    /// How many codes in `bytes` come before these.
    first: usize,
    n: usize,
}

impl Hybrid {
    /// Codes of `width` bits each; `None` if no code has so many.
    pub(super) fn new(bytes: Buffer, width: usize) -> Option<Self> {
        let run = Pending::Repeated { code: 0, left: 0 };
        (width <= 32).then_some(Hybrid { bytes, at: 0, width, run })
    }

    /// Single bits without any header.
    pub(super) fn bits(bytes: Buffer) -> Self {
        let (end, left) = (bytes.len(), bytes.len() * 8);
        Hybrid { at: end, width: 1, run: Pending::Packed { start: 0, end, first: 0, left }, bytes }
    }

    /// The next codes that stand together, `most` at most; `None` at the end and where the bytes make no sense.
    pub(super) fn next(&mut self, most: usize) -> Option<Run<'_>> {
        loop {
            match &mut self.run {
                Pending::Repeated { left: 0, .. } | Pending::Packed { left: 0, .. } => {
                    self.run = self.read_header()?;
                }
                Pending::Repeated { code, left } => {
                    let n = most.min(*left);
                    *left -= n;
                    return Some(Run::Repeated { code: *code, n });
                }
                Pending::Packed { start, end, first, left } => {
                    let n = most.min(*left);
                    let packed =
                        Packed { bytes: self.bytes.get(*start..*end)?, width: self.width, first: *first, n };
                    *first += n;
                    *left -= n;
                    return Some(Run::Packed(packed));
                }
            }
        }
    }

    fn read_header(&mut self) -> Option<Pending> {
        let header = self.read_vlq()?;
        let n = usize::try_from(header >> 1).ok()?;
        if header & 1 == 0 {
            let size = self.width.div_ceil(8);
            let bytes = self.bytes.get(self.at..self.at + size)?;
            self.at += size;
            let code = bytes.iter().rev().fold(0, |code, &byte| (code << 8) | u32::from(byte));
            return Some(Pending::Repeated { code, left: n });
        }
        if self.width == 0 {
            return Some(Pending::Repeated { code: 0, left: n.checked_mul(8)? });
        }
        let start = self.at;
        // The last group of a page need not be written to its end.
        let end = start.checked_add(n.checked_mul(self.width)?)?.min(self.bytes.len());
        self.at = end;
        Some(Pending::Packed { start, end, first: 0, left: (end - start) * 8 / self.width })
    }

    fn read_vlq(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..35).step_by(7) {
            let byte = *self.bytes.get(self.at)?;
            self.at += 1;
            value |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }
}

impl Run<'_> {
    /// How many codes there are.
    pub(super) fn len(&self) -> usize {
        match self {
            Run::Repeated { n, .. } => *n,
            Run::Packed(packed) => packed.n,
        }
    }

    /// One of the codes.
    #[inline]
    pub(super) fn get(&self, idx: usize) -> u32 {
        match self {
            Run::Repeated { code, .. } => *code,
            Run::Packed(packed) => packed.get(idx),
        }
    }

    /// Writes what each code stands for; `into` is as long as the run.
    #[inline]
    pub(super) fn unpack<T: Clone>(&self, into: &mut [T], mut of: impl FnMut(u32) -> T) {
        match self {
            Run::Repeated { code, .. } => into.fill(of(*code)),
            // As many codes as one word is sure to hold, at whatever bit of its first byte they start.
            Run::Packed(packed) => match packed.width {
                0..=7 => packed.unpack_by::<8, T>(into, of),
                8..=14 => packed.unpack_by::<4, T>(into, of),
                15..=28 => packed.unpack_by::<2, T>(into, of),
                _ => packed.unpack_by::<1, T>(into, of),
            },
        }
    }
}

impl Packed<'_> {
    #[inline]
    fn get(&self, idx: usize) -> u32 {
        let bit = (self.first + idx) * self.width;
        ((word_at(self.bytes, bit / 8) >> (bit % 8)) & mask(self.width)) as u32
    }

    #[inline]
    fn unpack_by<const N: usize, T>(&self, into: &mut [T], mut of: impl FnMut(u32) -> T) {
        let mask = mask(self.width);
        let mut bit = self.first * self.width;
        let (groups, rest) = into.as_chunks_mut::<N>();
        let n_grouped = groups.len() * N;
        for group in groups {
            let mut word = word_at(self.bytes, bit / 8) >> (bit % 8);
            for place in group {
                *place = of((word & mask) as u32);
                word >>= self.width;
            }
            bit += N * self.width;
        }
        (n_grouped..).zip(rest).for_each(|(idx, place)| *place = of(self.get(idx)));
    }
}

fn mask(width: usize) -> u64 {
    (1 << width) - 1
}

/// The eight bytes from a place on, the first of them lowest; zeros beyond the end.
#[inline]
fn word_at(bytes: &[u8], at: usize) -> u64 {
    match bytes.get(at..at + 8).and_then(|word| word.try_into().ok()) {
        Some(word) => u64::from_le_bytes(word),
        None => {
            bytes[at.min(bytes.len())..].iter().rev().fold(0, |word, &byte| (word << 8) | u64::from(byte))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Writes runs as the format says: `Ok` a repeated code, `Err` packed ones, a multiple of eight.
    fn written(runs: &[Result<(u32, usize), Vec<u32>>], width: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        let vlq = |bytes: &mut Vec<u8>, mut value: usize| {
            while value >= 0x80 {
                bytes.push(value as u8 | 0x80);
                value >>= 7;
            }
            bytes.push(value as u8);
        };
        for run in runs {
            match run {
                Ok((code, n)) => {
                    vlq(&mut bytes, n << 1);
                    bytes.extend(&code.to_le_bytes()[..width.div_ceil(8)]);
                }
                Err(codes) => {
                    vlq(&mut bytes, (codes.len() / 8) << 1 | 1);
                    let bits: Vec<bool> = codes
                        .iter()
                        .flat_map(|code| (0..width).map(move |bit| code >> bit & 1 == 1))
                        .collect();
                    bytes.extend(
                        bits.chunks(8)
                            .map(|bits| bits.iter().rev().fold(0, |byte, &bit| byte << 1 | u8::from(bit))),
                    );
                }
            }
        }
        bytes
    }

    proptest! {
        #[test]
        fn every_code_comes_back_in_order(
            width in 0usize..=32,
            seeds in prop::collection::vec((any::<bool>(), any::<u32>(), 1usize..6), 1..8),
            most in 1usize..50,
        ) {
            let code = |seed: u32| (u64::from(seed) & mask(width)) as u32;
            let runs: Vec<_> = seeds
                .iter()
                .map(|&(is_repeated, seed, n)| {
                    let nth = |idx: usize| code(seed.wrapping_mul(idx as u32 * 2 + 1));
                    if is_repeated { Ok((code(seed), n)) } else { Err((0..n * 8).map(nth).collect::<Vec<_>>()) }
                })
                .collect();
            let expected: Vec<u32> = runs
                .iter()
                .flat_map(|run| match run {
                    Ok((code, n)) => vec![*code; *n],
                    Err(codes) => codes.clone(),
                })
                .collect();
            let mut hybrid = Hybrid::new(written(&runs, width).into(), width).expect("a width");
            let (mut all, mut picked) = (Vec::new(), Vec::new());
            while let Some(run) = hybrid.next(most) {
                let mut codes = vec![u32::MAX; run.len()];
                run.unpack(&mut codes, |code| code);
                all.extend(codes);
                picked.extend((0..run.len()).map(|idx| run.get(idx)));
            }
            prop_assert_eq!(&all, &expected);
            prop_assert_eq!(&picked, &expected);
        }

        #[test]
        fn nothing_panics_on_damaged_bytes(bytes in prop::collection::vec(any::<u8>(), 0..40), width in 0usize..40) {
            let Some(mut hybrid) = Hybrid::new(bytes.into(), width) else { return Ok(()) };
            for _ in 0..100 {
                let Some(run) = hybrid.next(1000) else { break };
                run.unpack(&mut vec![0; run.len()], |code| code);
            }
        }
    }

    #[test]
    fn bare_bits_need_no_header() {
        let mut hybrid = Hybrid::bits(vec![0b0000_0101].into());
        let run = hybrid.next(3).expect("bits");
        assert_eq!([0, 1, 2].map(|idx| run.get(idx)), [1, 0, 1]);
    }
}
