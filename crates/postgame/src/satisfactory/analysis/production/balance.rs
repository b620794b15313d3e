//! Rates of many machines, item by item: what is made and used, by what runs and by all.

use std::collections::BTreeMap;

use super::factory::Factory;
use super::machine::{Activity, Machine};
use super::power;
use super::rates::{Rates, rates};
use crate::satisfactory::catalogue;

/// What is made and used of an item a minute: pieces, or cubic metres of a fluid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ItemBalance {
    /// Made by machines that run.
    pub made_per_min: f64,
    /// Used by machines that run.
    pub used_per_min: f64,
    /// What machines that stand would make.
    pub standing_made_per_min: f64,
    /// What machines that stand would use.
    pub standing_used_per_min: f64,
}

impl ItemBalance {
    /// What is left over while only those run that run now; negative for a want.
    pub fn running_per_min(&self) -> f64 {
        self.made_per_min - self.used_per_min
    }

    /// What would be left over if all machines ran; negative for a want.
    pub fn all_per_min(&self) -> f64 {
        self.running_per_min() + self.standing_made_per_min - self.standing_used_per_min
    }

    fn add(&mut self, other: &Self) {
        self.made_per_min += other.made_per_min;
        self.used_per_min += other.used_per_min;
        self.standing_made_per_min += other.standing_made_per_min;
        self.standing_used_per_min += other.standing_used_per_min;
    }
}

/// Power of many machines, in megawatts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PowerBalance {
    /// What the machines that run take, by their ratings.
    pub rated_mw: f64,
    /// What all take if all run, by their ratings.
    pub rated_all_mw: f64,
    /// What the save says they take.
    pub recorded_mw: f64,
    /// What the generators that run make, by their ratings.
    pub generated_mw: f64,
    /// What all generators make if all run, by their ratings.
    pub generated_all_mw: f64,
}

/// Rates and power of many machines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Balance {
    /// By the item's class.
    pub items: BTreeMap<&'static str, ItemBalance>,
    /// How many machines there are.
    pub machines: usize,
    /// How many of them run.
    pub running: usize,
    /// How many have unknown rates, such as those with a mod's recipe.
    pub unknown: usize,
    /// Their power.
    pub power: PowerBalance,
}

impl Balance {
    /// Points a minute for what is left over while only those run that run now, if all of it goes into the sink.
    pub fn sink_points_per_min(&self) -> f64 {
        let items = self.items.iter();
        let points = items.map(|(class, balance)| {
            let item = catalogue::item(class).filter(|item| !item.is_fluid());
            let points = item.and_then(|item| item.sink_points).unwrap_or(0.0);
            balance.running_per_min().max(0.0) * points
        });
        points.sum()
    }

    /// Adds a machine.
    pub fn add(&mut self, machine: &Machine, factory: &Factory) {
        let is_running = machine.activity == Activity::Running;
        self.machines += 1;
        self.running += usize::from(is_running);
        match rates(machine, factory) {
            Some(rates) => self.add_rates(&rates, is_running),
            None => self.unknown += 1,
        }
        let demand_mw = power::demand(machine, factory).map_or(0.0, |demand| demand.mean_mw);
        let made_mw = power::generation_mw(machine, factory).unwrap_or(0.0);
        self.power.rated_all_mw += demand_mw;
        self.power.generated_all_mw += made_mw;
        if is_running {
            self.power.rated_mw += demand_mw;
            self.power.generated_mw += made_mw;
        }
        self.power.recorded_mw += machine.recorded_mw.unwrap_or(0.0);
    }

    fn add_rates(&mut self, rates: &Rates, is_running: bool) {
        for (item, per_min) in &rates.made {
            let balance = self.items.entry(item).or_default();
            if is_running {
                balance.made_per_min += per_min;
            } else {
                balance.standing_made_per_min += per_min;
            }
        }
        for (item, per_min) in &rates.used {
            let balance = self.items.entry(item).or_default();
            if is_running {
                balance.used_per_min += per_min;
            } else {
                balance.standing_used_per_min += per_min;
            }
        }
    }

    /// Adds another balance.
    pub fn merge(&mut self, other: &Self) {
        for (item, balance) in &other.items {
            self.items.entry(item).or_default().add(balance);
        }
        self.machines += other.machines;
        self.running += other.running;
        self.unknown += other.unknown;
        let (sum, more) = (&mut self.power, &other.power);
        sum.rated_mw += more.rated_mw;
        sum.rated_all_mw += more.rated_all_mw;
        sum.recorded_mw += more.recorded_mw;
        sum.generated_mw += more.generated_mw;
        sum.generated_all_mw += more.generated_all_mw;
    }
}

/// Rates and power of some machines of a factory.
pub fn balance<'m>(machines: impl IntoIterator<Item = &'m Machine>, factory: &Factory) -> Balance {
    let mut balance = Balance::default();
    for machine in machines {
        balance.add(machine, factory);
    }
    balance
}
