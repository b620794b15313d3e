//! Which lives of players are one person: who leaves and comes back is the same one.

use super::super::model::ids::UniqueId;
use super::state::PlayerLife;

/// For each life the number of its person, numbered in order of appearance.
///
/// The whole id counts: old PlayStation ids hold a name beside an account number that is the same for everybody. Two
/// with the same id at the same time are two people, as are bots, whose ids say nothing, under different names.
pub(super) fn people(lives: &[PlayerLife]) -> Vec<usize> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut numbers = Vec::with_capacity(lives.len());
    for (index, life) in lives.iter().enumerate() {
        let is_same = |group: &Vec<usize>| {
            group.iter().all(|&other| {
                lives
                    .get(other)
                    .is_some_and(|other| same_person(other, life) && other.to_s <= life.from_s)
            })
        };
        match groups.iter().position(is_same) {
            Some(number) => {
                if let Some(group) = groups.get_mut(number) {
                    group.push(index);
                }
                numbers.push(number);
            }
            None => {
                numbers.push(groups.len());
                groups.push(vec![index]);
            }
        }
    }
    numbers
}

fn same_person(one: &PlayerLife, other: &PlayerLife) -> bool {
    let named = |life: &PlayerLife| life.id.clone().filter(|id| *id != UniqueId::None {});
    match (named(one), named(other)) {
        (Some(one), Some(other)) => one == other,
        (None, None) => one.name.is_some() && one.name == other.name,
        _ => false,
    }
}
