//! Inputs made from others: bytes changed, sizes replaced, pieces left out, doubled and mixed.

use tribunal_random::Random;

/// Texts that mean something to one reader or another.
const WORDS: &[&str] = &[
    "\"",
    "'",
    ",",
    ";",
    "\t",
    "\n",
    "\r\n",
    "{",
    "}",
    "[",
    "]",
    ":",
    "|",
    "<",
    ">=",
    "@",
    "@data\n",
    "@attribute ",
    "%",
    "null",
    "true",
    "NaN",
    "inf",
    "-inf",
    "1e308",
    "1e-320",
    "-0",
    "18446744073709551616",
    "9223372036854775807",
    "-9223372036854775808",
    "4294967295",
    "0x10",
    "\u{feff}",
    "\u{202e}",
    "\0",
    "..",
    "...",
    "x10",
    "+platt",
    "{1..9}",
    "=",
];

/// Whole numbers at which readers stumble.
const NUMBERS: &[u64] = &[
    0,
    1,
    2,
    7,
    8,
    0x7F,
    0x80,
    0xFF,
    0x7FFF,
    0xFFFF,
    0x7FFF_FFFF,
    0x8000_0000,
    0xFFFF_FFFF,
    0x1_0000_0000,
    0x7FFF_FFFF_FFFF_FFFF,
    0x8000_0000_0000_0000,
    u64::MAX,
    1_000_000_007,
    1 << 40,
];

/// No input is made longer.
const LONGEST: usize = 1 << 16;

/// Makes inputs from seeds, the same for the same seed.
pub struct Mutator {
    random: Random,
    seeds: Vec<Vec<u8>>,
}

impl Mutator {
    /// From some inputs, of which there must be one at least.
    pub fn new(seeds: Vec<Vec<u8>>, seed: u64) -> Self {
        Mutator { random: Random::new(seed), seeds }
    }

    /// The next input.
    pub fn input(&mut self) -> Vec<u8> {
        let mut bytes = self.any_seed();
        // Most inputs differ in one place from what is sound: then the rest of the reader is reached.
        let n_changes = 1 + self.below(3) * self.below(3);
        for _ in 0..n_changes {
            self.change(&mut bytes);
        }
        bytes.truncate(LONGEST);
        bytes
    }

    fn below(&mut self, n: usize) -> usize {
        self.random.below(n.max(1) as u64) as usize
    }

    fn any_seed(&mut self) -> Vec<u8> {
        let idx = self.below(self.seeds.len());
        self.seeds.get(idx).cloned().unwrap_or_default()
    }

    fn change(&mut self, bytes: &mut Vec<u8>) {
        let at = self.below(bytes.len());
        match self.below(12) {
            0 if !bytes.is_empty() => bytes[at] ^= 1 << self.below(8),
            1 if !bytes.is_empty() => bytes[at] = self.below(256) as u8,
            2 => bytes.insert(at, self.below(256) as u8),
            3 => drop(bytes.drain(self.piece(bytes))),
            4 => {
                let piece = bytes[self.piece(bytes)].to_vec();
                bytes.splice(at..at, piece);
            }
            5 => {
                let piece = bytes[self.piece(bytes)].to_vec();
                let n_times = 1 + self.below(200);
                bytes.splice(at..at, piece.repeat(n_times));
            }
            6 => bytes.truncate(at),
            7 => {
                let other = self.any_seed();
                let piece = other[self.piece(&other)].to_vec();
                bytes.splice(at..at, piece);
            }
            8 => self.replace_digits(bytes),
            9 => {
                let word = WORDS[self.below(WORDS.len())];
                bytes.splice(at..at, word.bytes());
            }
            _ => self.write_number(bytes, at),
        }
        bytes.truncate(2 * LONGEST);
    }

    fn piece(&mut self, bytes: &[u8]) -> std::ops::Range<usize> {
        let start = self.below(bytes.len());
        let most = if self.below(2) == 0 { 16 } else { bytes.len() };
        start..(start + self.below(most)).min(bytes.len())
    }

    /// Puts a number over bytes, in one of the widths that sizes have.
    fn write_number(&mut self, bytes: &mut [u8], at: usize) {
        let width = [1, 2, 4, 8][self.below(4)];
        let at = if self.below(2) == 0 { at / width * width } else { at };
        let number = NUMBERS[self.below(NUMBERS.len())].to_le_bytes();
        bytes.iter_mut().skip(at).zip(&number[..width]).for_each(|(byte, new)| *byte = *new);
    }

    /// Puts another number in the place of one that is written in digits.
    fn replace_digits(&mut self, bytes: &mut Vec<u8>) {
        let starts: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at].is_ascii_digit()).collect();
        let start = starts.get(self.below(starts.len())).copied().unwrap_or(bytes.len());
        let length = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = match self.below(4) {
            0 => "1e400".to_owned(),
            1 => "-1".to_owned(),
            _ => NUMBERS[self.below(NUMBERS.len())].to_string(),
        };
        bytes.splice(start..start + length, number.bytes());
    }
}
