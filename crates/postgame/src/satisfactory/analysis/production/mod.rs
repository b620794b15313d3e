//! What a factory makes and uses, and the power it takes.
//!
//! - [`factory`](mod@factory): the machines of a save, with what the save says of each
//! - [`machine`]: a machine, and what it is doing
//! - `waiting`: why a machine stands
//! - [`rates`]: what a machine makes and uses a minute
//! - [`power`]: what a machine takes and makes in megawatts
//! - [`balance`](mod@balance): rates of many machines, item by item
//! - [`supply`]: generators and what they burn, circuits and their biggest users
//! - [`report`]: the same as groups of statistics

pub mod balance;
pub mod factory;
pub mod machine;
pub mod power;
pub mod rates;
pub mod report;
pub mod supply;
mod waiting;

pub use balance::{Balance, ItemBalance, balance};
pub use factory::{Factory, factory, factory_of_blueprint};
pub use machine::{Activity, Machine, MachineKind};
pub use rates::Rates;
