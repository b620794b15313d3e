//! A demolition, in whichever of its three forms a version stores it.

use crate::rocket_league::codec::model::attributes::{Demolish, DemolishExtended, DemolishFx};
use crate::rocket_league::codec::model::kinds::Attribute;
use crate::rocket_league::codec::model::values::{Reference, Vector};

/// A car destroys another.
#[derive(Clone, Copy, Debug)]
pub(in crate::rocket_league) struct Demolition {
    /// The player who did it, since 2.46.
    pub attacker_player: Option<Reference>,
    pub attacker: Reference,
    pub victim: Reference,
    /// The attacker's and the victim's.
    pub velocities: [Vector; 2],
}

/// The demolition that an attribute is.
pub(in crate::rocket_league) fn demolition(attribute: &Attribute) -> Option<Demolition> {
    // The same fields in three structs.
    macro_rules! fields {
        ($Form:ident, $demolish:expr, $attacker_player:expr) => {{
            let $Form {
                attacker,
                victim,
                attacker_velocity,
                victim_velocity,
                ..
            } = **$demolish;
            Demolition {
                attacker_player: $attacker_player,
                attacker,
                victim,
                velocities: [attacker_velocity, victim_velocity],
            }
        }};
    }
    Some(match attribute {
        Attribute::Demolish(demolish) => fields!(Demolish, demolish, None),
        Attribute::DemolishFx(demolish) => fields!(DemolishFx, demolish, None),
        Attribute::DemolishExtended(demolish) => {
            fields!(DemolishExtended, demolish, Some(demolish.attacker_player))
        }
        _ => return None,
    })
}
