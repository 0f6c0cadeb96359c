//! One claim from its draws: flags, circumstances, what was paid, and the five latent suspicions.

use super::bins;
use super::draws::{self, Draws};
use super::near::NearNormals;
use super::schema::{FLAGS, N_GROUPS};

// Roots of 0.06, 0.14 and 0.80: the shares of a flag's variance that all flags, its group and itself have.
const GLOBAL_LOAD: f64 = 0.2449489742783178;
const GROUP_LOAD: f64 = 0.37416573867739417;
const OWN_LOAD: f64 = 0.8944271909999159;

pub(super) const N_LATENTS: usize = 5;

/// How much flags and circumstances count in each latent suspicion: L1, L4, L7, M2, M3.
const LOADS: [(f64, f64); N_LATENTS] = [(0.84, 0.79), (0.60, 0.54), (0.39, 0.31), (0.94, 0.88), (0.49, 0.32)];

/// A claim before the experts have seen it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Claim {
    /// Flag `i` is bit `i`.
    pub(super) flags: u32,
    pub(super) age: u8,
    pub(super) policy_lag: u16,
    pub(super) report_lag: u16,
    pub(super) treatment_lags: [u16; 2],
    pub(super) ambulance_cents: u32,
    pub(super) part_disabled: bool,
    pub(super) totally_disabled: bool,
    pub(super) represented: bool,
    pub(super) paid_cents: u32,
    /// What all but the flags says of a claim.
    pub(super) circumstances: f64,
}

impl Claim {
    /// The claim that the draws make.
    pub(super) fn of(draws: &Draws, near: &NearNormals) -> Self {
        let represented = draws.uniform(draws::REPRESENTED) < 0.55;
        let treatment_lags = treatment_lags(draws, represented);
        let mut claim = Self {
            flags: flags(draws, near),
            age: (3.45 + 0.42 * draws.normal(draws::AGE)).exp().floor().clamp(1.0, 95.0) as u8,
            policy_lag: policy_lag(draws),
            report_lag: (1.5 + 1.3 * draws.normal(draws::REPORT_LAG)).exp().floor().min(500.0) as u16,
            treatment_lags,
            ambulance_cents: ambulance(draws),
            part_disabled: draws.uniform(draws::PART_DISABLED) < 0.22,
            totally_disabled: draws.uniform(draws::TOTALLY_DISABLED) < 0.12,
            represented,
            paid_cents: 0,
            circumstances: 0.0,
        };
        claim.circumstances = claim.weighed_circumstances();
        claim.paid_cents = cents(7.0 + 0.25 * claim.circumstances + 0.6 * draws.normal(draws::PAID));
        claim
    }

    /// The weights of the flags that fire.
    pub(super) fn flag_weight(&self) -> f64 {
        let mut weight = 0.0;
        let mut firing = self.flags;
        while firing != 0 {
            weight += FLAGS[firing.trailing_zeros() as usize].weight;
            firing &= firing - 1;
        }
        weight
    }

    fn weighed_circumstances(&self) -> f64 {
        let [lag1, lag2] = self.treatment_lags.map(u32::from);
        let step = |bin: u8| f64::from(bin - 1);
        let is = |fact: bool| f64::from(u8::from(fact));
        is(self.represented) + 0.80 * is(lag1 > 0) + 0.55 * is(lag2 > 0) - 0.85 * is(self.ambulance_cents > 0)
            + 0.10 * step(bins::LAG.of(self.report_lag.into()))
            + 0.12 * step(bins::LAG.of(lag1))
            + 0.06 * step(bins::LAG.of(lag2))
            - 0.07 * step(bins::POLICY_LAG.of(self.policy_lag.into()))
            - 0.15 * step(bins::AGE.of(self.age.into()))
            - 0.05 * step(bins::CHARGE.of((self.ambulance_cents + 50) / 100))
            + 0.35 * is(self.part_disabled)
            + 0.20 * is(self.totally_disabled)
    }

    /// The five latent suspicions; scores and codes are given out by their ranks.
    pub(super) fn latents(&self, draws: &Draws) -> [f64; N_LATENTS] {
        let flags = self.flag_weight();
        let common = 0.6 * draws.normal(draws::NOISE);
        std::array::from_fn(|k| {
            let (a, b) = LOADS[k];
            a * flags + b * self.circumstances + common + 0.8 * draws.normal(draws::NOISE + 2 * (k + 1))
        })
    }
}

/// Which flags fire: the tables decide nearly all, the exact numbers the others.
fn flags(draws: &Draws, near: &NearNormals) -> u32 {
    let global = near.normal(draws.pair(draws::GLOBAL));
    let groups: [_; N_GROUPS] = std::array::from_fn(|g| near.normal(draws.pair(draws::GROUPS + 2 * g)));
    let mut firing = 0;
    for (i, flag) in FLAGS.iter().enumerate() {
        let (group, own) = (groups[flag.group], near.normal(draws.pair(draws::FIRINGS + 2 * i)));
        let over =
            GLOBAL_LOAD * global.value + GROUP_LOAD * group.value + OWN_LOAD * own.value - flag.threshold;
        let off = GLOBAL_LOAD * global.off + GROUP_LOAD * group.off + OWN_LOAD * own.off;
        let fires = if over.abs() > off { over > 0.0 } else { fires(draws, i) };
        firing |= u32::from(fires) << i;
    }
    firing
}

/// Whether a flag fires, by definition.
#[cold]
fn fires(draws: &Draws, i: usize) -> bool {
    let flag = &FLAGS[i];
    let global = draws.normal(draws::GLOBAL);
    let group = draws.normal(draws::GROUPS + 2 * flag.group);
    let own = draws.normal(draws::FIRINGS + 2 * i);
    GLOBAL_LOAD * global + GROUP_LOAD * group + OWN_LOAD * own > flag.threshold
}

fn policy_lag(draws: &Draws) -> u16 {
    let days = if draws.uniform(draws::POLICY_LAG) < 0.18 { 60.0 } else { 365.0 };
    (days * draws.uniform(draws::POLICY_LAG + 1)) as u16
}

fn treatment_lags(draws: &Draws, represented: bool) -> [u16; 2] {
    let lag = |at: usize, rate: f64, before: u16, mean: f64, spread: f64| {
        let treated = draws.uniform(at) < rate;
        let days = || f64::from(before + 1) + (mean + spread * draws.normal(at + 1)).exp().floor();
        if treated { days().min(450.0) as u16 } else { 0 }
    };
    let first = lag(draws::TREATMENT_1, if represented { 0.78 } else { 0.42 }, 0, 1.6, 1.1);
    let second = lag(draws::TREATMENT_2, if first > 0 { 0.45 } else { 0.06 }, first, 2.3, 1.0);
    [first, second]
}

fn ambulance(draws: &Draws) -> u32 {
    let called = draws.uniform(draws::AMBULANCE) < 0.38;
    if called { cents(5.4 + 0.45 * draws.normal(draws::AMBULANCE + 1)) } else { 0 }
}

/// An amount whose logarithm is given, in whole cents.
fn cents(log_dollars: f64) -> u32 {
    (100.0 * log_dollars.exp() + 0.5) as u32
}

#[cfg(test)]
mod tests {
    use super::super::schema::N_FLAGS;
    use super::*;
    use tribunal_learn::encoding::Bins;
    use tribunal_learn::{BinRule, claim_bounds};
    use tribunal_random::Random;

    /// The claim step by step as it is defined, drawing number after number.
    fn plain(random: &mut Random) -> (Claim, [f64; N_LATENTS]) {
        let global = random.normal();
        let groups = [(); N_GROUPS].map(|()| random.normal());
        let mut flags = 0;
        for (i, flag) in FLAGS.iter().enumerate() {
            let latent = 0.06f64.sqrt() * global
                + 0.14f64.sqrt() * groups[flag.group]
                + 0.80f64.sqrt() * random.normal();
            flags |= u32::from(latent > flag.threshold) << i;
        }
        let age = (3.45 + 0.42 * random.normal()).exp().floor().clamp(1.0, 95.0);
        let (u, v) = (random.uniform(), random.uniform());
        let policy_lag = if u < 0.18 { (60.0 * v).floor() } else { (365.0 * v).floor() };
        let report_lag = (1.5 + 1.3 * random.normal()).exp().floor().min(500.0);
        let represented = random.uniform() < 0.55;
        let (u, n) = (random.uniform(), random.normal());
        let treated = u < if represented { 0.78 } else { 0.42 };
        let lag1 = if treated { (1.0 + (1.6 + 1.1 * n).exp().floor()).min(450.0) } else { 0.0 };
        let (u, n) = (random.uniform(), random.normal());
        let treated = u < if lag1 > 0.0 { 0.45 } else { 0.06 };
        let lag2 = if treated { (lag1 + 1.0 + (2.3 + n).exp().floor()).min(450.0) } else { 0.0 };
        let (u, n) = (random.uniform(), random.normal());
        let ambulance = if u < 0.38 { (100.0 * (5.4 + 0.45 * n).exp() + 0.5).floor() / 100.0 } else { 0.0 };
        let part_disabled = random.uniform() < 0.22;
        let totally_disabled = random.uniform() < 0.12;
        let noise = [(); 6].map(|()| random.normal());
        let bin = |bounds: &[u16], value: f64| {
            let rule = BinRule::WholeUnits(bounds.iter().map(|&bound| f64::from(bound)).collect());
            f64::from(Bins::given(&rule).expect("given").bin(value).expect("not negative"))
        };
        let is = |fact: bool| if fact { 1.0 } else { 0.0 };
        let g = 1.00 * is(represented) + 0.80 * is(lag1 > 0.0) + 0.55 * is(lag2 > 0.0)
            - 0.85 * is(ambulance > 0.0)
            + 0.10 * bin(claim_bounds::LAG, report_lag)
            + 0.12 * bin(claim_bounds::LAG, lag1)
            + 0.06 * bin(claim_bounds::LAG, lag2)
            - 0.07 * bin(claim_bounds::POLICY_LAG, policy_lag)
            - 0.15 * bin(claim_bounds::AGE, age)
            - 0.05 * bin(claim_bounds::CHARGE, ambulance)
            + 0.35 * is(part_disabled)
            + 0.20 * is(totally_disabled);
        let paid = (100.0 * (7.0 + 0.25 * g + 0.6 * random.normal()).exp() + 0.5).floor();
        let f: f64 = (0..N_FLAGS).map(|i| FLAGS[i].weight * f64::from(flags >> i & 1)).sum();
        let latents =
            std::array::from_fn(|k| LOADS[k].0 * f + LOADS[k].1 * g + 0.6 * noise[0] + 0.8 * noise[k + 1]);
        let claim = Claim {
            flags,
            age: age as u8,
            policy_lag: policy_lag as u16,
            report_lag: report_lag as u16,
            treatment_lags: [lag1 as u16, lag2 as u16],
            ambulance_cents: (ambulance * 100.0).round() as u32,
            part_disabled,
            totally_disabled,
            represented,
            paid_cents: paid as u32,
            circumstances: g,
        };
        (claim, latents)
    }

    fn check(seed: u64, n_claims: usize) {
        let (mut by_definition, mut drawn) = (Random::new(seed), Random::new(seed));
        for row in 0..n_claims {
            let draws = Draws::next(&mut drawn);
            let claim = Claim::of(&draws, NearNormals::tables());
            let expected = plain(&mut by_definition);
            assert_eq!(claim, expected.0, "row {row} of seed {seed}");
            let (latents, expected) = (claim.latents(&draws).map(f64::to_bits), expected.1.map(f64::to_bits));
            assert_eq!(latents, expected, "row {row} of seed {seed}");
        }
    }

    #[test]
    fn claims_are_those_of_the_plain_definition() {
        check(32, 20_000);
        for seed in 0..20 {
            check(seed, 2_000);
        }
    }

    #[test]
    fn loads_are_the_roots_of_shares_of_variance() {
        let roots = [0.06f64, 0.14, 0.80].map(f64::sqrt);
        assert_eq!(roots, [GLOBAL_LOAD, GROUP_LOAD, OWN_LOAD]);
    }
}
