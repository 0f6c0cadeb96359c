//! Bins of whole years, days and dollars, by a table: a bin is looked up six times for every claim that is drawn.

use tribunal_learn::claim_bounds;

/// Every last bin begins below this.
const TABLE: usize = 512;

/// The bin of every whole number, from 1.
#[derive(Debug)]
pub(super) struct WholeBins {
    table: [u8; TABLE],
}

pub(super) static AGE: WholeBins = WholeBins::new(claim_bounds::AGE);
pub(super) static POLICY_LAG: WholeBins = WholeBins::new(claim_bounds::POLICY_LAG);
pub(super) static LAG: WholeBins = WholeBins::new(claim_bounds::LAG);
pub(super) static CHARGE: WholeBins = WholeBins::new(claim_bounds::CHARGE);

impl WholeBins {
    const fn new(bounds: &'static [u16]) -> Self {
        let mut table = [0; TABLE];
        let (mut whole, mut bin) = (0, 0);
        while whole < TABLE {
            if bin < bounds.len() && whole > bounds[bin] as usize {
                bin += 1;
            }
            table[whole] = bin as u8 + 1;
            whole += 1;
        }
        Self { table }
    }

    /// The bin of a whole number.
    pub(super) fn of(&self, whole: u32) -> u8 {
        self.table[(whole as usize).min(TABLE - 1)]
    }
}
