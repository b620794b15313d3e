//! Which lives of players are one person: who leaves and comes back is the same one.

use super::state::PlayerLife;
use crate::rocket_league::codec::model::ids::UniqueId;

/// For each life the number of its person, numbered in order of appearance.
///
/// The whole id counts: old PlayStation ids hold a name beside an account number that is the same for everybody. Two
/// with the same id at the same time are two people, as are bots, whose ids say nothing, under different names.
pub(in crate::rocket_league) fn people(lives: &[PlayerLife]) -> Vec<usize> {
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
    fn named(life: &PlayerLife) -> Option<&UniqueId> {
        life.id.as_ref().filter(|id| **id != UniqueId::None {})
    }
    match (named(one), named(other)) {
        (Some(one), Some(other)) => one == other,
        (None, None) => one.name.is_some() && one.name == other.name,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rocket_league::codec::model::ids::Fixed;

    fn life(id: UniqueId, name: &str, from_s: f64, to_s: f64) -> PlayerLife {
        PlayerLife {
            from_s,
            to_s,
            id: Some(id),
            name: Some(name.into()),
            ..PlayerLife::default()
        }
    }

    fn steam(id: u64) -> UniqueId {
        UniqueId::Steam { id, splitscreen: 0 }
    }

    #[test]
    fn who_comes_back_is_the_same_and_equal_ids_at_one_time_are_two() {
        let lives = [
            life(steam(7), "Ada", 0.0, 10.0),
            life(steam(8), "Bo", 0.0, 30.0),
            life(steam(7), "Ada", 12.0, 30.0),
            life(steam(8), "Bo", 5.0, 30.0),
        ];
        assert_eq!(people(&lives), [0, 1, 0, 2]);
    }

    /// Before network version 1 all a PlayStation id has in common with another is a 1 where the account will be.
    #[test]
    fn old_playstation_ids_differ_by_their_names() {
        let psn = |name: &[u8; 16]| UniqueId::PlayStation {
            name: Fixed(*name),
            region: Fixed(*b"c6usps4\0"),
            reserved: 1,
            id: None,
            splitscreen: 0,
        };
        // One leaves, the other comes: nothing but the id tells them apart.
        let lives = [
            life(psn(b"TheGoldenGarp\0\0\0"), "Garp", 0.0, 10.0),
            life(psn(b"NoVa_KnighTs\0\0\0\0"), "Garp", 10.0, 20.0),
            life(psn(b"TheGoldenGarp\0\0\0"), "Garp", 20.0, 30.0),
        ];
        assert_eq!(people(&lives), [0, 1, 0]);
    }

    #[test]
    fn without_an_id_the_name_counts() {
        let bot = |name: &str, from_s, to_s| life(UniqueId::None {}, name, from_s, to_s);
        let lives = [
            bot("Poncho", 0.0, 10.0),
            bot("Goose", 10.0, 20.0),
            bot("Poncho", 20.0, 30.0),
            life(steam(1), "Poncho", 30.0, 40.0),
        ];
        assert_eq!(people(&lives), [0, 1, 0, 2]);
    }
}
