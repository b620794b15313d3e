//! One port of a replay, frame by frame, with rollbacks resolved.
//!
//! ```
//! use postgame::Recording;
//!
//! let bytes = std::fs::read("../../samples/duel.slp")?;
//! let (recording, _) = postgame::read(&bytes, &Default::default())?;
//! let Recording::Slippi(replay) = recording else { panic!("another game") };
//! let percent = |frame: postgame::slippi::model::ports::PortFrame| Some(frame.post?.percent);
//! let most = replay.port(2)?.frames().filter_map(percent).fold(0.0, f32::max);
//! assert_eq!(most, 42.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::Replay;
use super::frames::{Character, Copies, Frames};
use super::updates::{PostRow, PreRow};
use crate::error::{Error, Result};

/// A port with a player, as found by [`Replay::port`].
#[derive(Clone, Debug)]
pub struct Port<'a> {
    /// Its number, from 1.
    pub number: u8,
    frames: &'a Frames,
    leader: &'a Character,
    follower: Option<&'a Character>,
    /// The rows that counted.
    rows: Vec<usize>,
}

/// A character in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PortFrame {
    /// The frame's number; players can act from [`FIRST_PLAYABLE_FRAME`](super::frames::FIRST_PLAYABLE_FRAME) on.
    pub frame: i32,
    /// The state before the frame and the inputs; `None` if the file lacks it.
    pub pre: Option<PreRow>,
    /// The state after the frame; `None` if the file lacks it.
    pub post: Option<PostRow>,
}

impl Replay {
    /// A port by its number, from 1 as on the console.
    ///
    /// # Errors
    /// When nobody plays on this port, or only the header was read.
    pub fn port(&self, number: u8) -> Result<Port<'_>> {
        let frames = self.frames.as_ref();
        let frames = frames.ok_or_else(|| Error::invalid("only the header was read"))?;
        let character = |is_follower| frames.character(number.checked_sub(1)?, is_follower);
        let leader = character(false).ok_or_else(|| {
            let leaders = frames.characters.iter().filter(|one| one.follower == 0);
            let ports: Vec<String> = leaders.map(|one| (one.port + 1).to_string()).collect();
            Error::invalid(format!(
                "port {number} is empty; ports with players: {}",
                ports.join(", ")
            ))
        })?;
        Ok(Port {
            number,
            frames,
            leader,
            follower: character(true),
            rows: frames.rows(Copies::Final),
        })
    }
}

impl Port<'_> {
    /// The frames in which the port's character is present, in order. A frame that was computed several times, because
    /// inputs arrived late, is there once: as it was computed last.
    pub fn frames(&self) -> impl Iterator<Item = PortFrame> {
        self.frames_of(Some(self.leader))
    }

    /// The same for Nana, who follows Popo; nothing for other characters.
    pub fn follower_frames(&self) -> impl Iterator<Item = PortFrame> {
        self.frames_of(self.follower)
    }

    fn frames_of(&self, character: Option<&Character>) -> impl Iterator<Item = PortFrame> {
        self.rows.iter().filter_map(move |&row| {
            let Character { pre, post, .. } = character?;
            let pre = pre.at(row).and_then(|index| pre.columns.row(index));
            let post = post.at(row).and_then(|index| post.columns.row(index));
            let frame = *self.frames.ids.get(row)?;
            (pre.is_some() || post.is_some()).then_some(PortFrame { frame, pre, post })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::frames::Sparse;
    use super::super::updates::Post;
    use super::*;

    fn replay() -> Replay {
        let bytes = std::fs::read(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../samples/duel.slp"
        ));
        let mut report = Default::default();
        let read = crate::slippi::read(&bytes.unwrap(), &Default::default(), &mut report);
        read.unwrap()
    }

    #[test]
    fn a_frame_that_was_rolled_back_is_there_once() {
        let mut replay = replay();
        let stocks = vec![4, 3, 2, 1];
        replay.frames = Some(Frames {
            ids: vec![-123, -122, -122, -121],
            characters: vec![Character {
                port: 3,
                post: Sparse {
                    rows: (0..4).collect(),
                    columns: Post {
                        stocks: stocks.clone(),
                        ..full_columns(stocks.len())
                    },
                },
                ..Character::default()
            }],
            ..Frames::default()
        });
        let port = replay.port(4).unwrap();
        let frames = port
            .frames()
            .map(|one| (one.frame, one.post.unwrap().stocks));
        assert_eq!(
            frames.collect::<Vec<_>>(),
            [(-123, 4), (-122, 2), (-121, 1)]
        );
        assert_eq!(port.follower_frames().count(), 0);
        let error = replay.port(1).unwrap_err().to_string();
        assert_eq!(error, "port 1 is empty; ports with players: 4");
        assert!(replay.port(0).is_err());
    }

    /// Columns of the oldest version for this many events.
    fn full_columns(count: usize) -> Post {
        Post {
            character: vec![0; count],
            action_state: vec![0; count],
            x: vec![0.0; count],
            y: vec![0.0; count],
            facing: vec![1.0; count],
            percent: vec![0.0; count],
            shield: vec![60.0; count],
            last_attack_landed: vec![0; count],
            combo_count: vec![0; count],
            last_hit_by: vec![6; count],
            ..Post::default()
        }
    }

    #[test]
    fn a_port_has_what_the_columns_have() {
        let replay = replay();
        let frames = replay.frames.as_ref().unwrap();
        let leader = frames.character(0, false).unwrap();
        let port = replay.port(1).unwrap();
        let rows = frames.rows(Copies::Final);
        assert!(rows.len() < frames.len(), "the sample has rollbacks");
        let index = |row: &usize| leader.post.at(*row).unwrap();
        let xs = rows.iter().map(|row| leader.post.columns.x[index(row)]);
        let port = port.frames().map(|one| one.post.unwrap().x);
        assert!(xs.eq(port));
        let header = Replay {
            frames: None,
            ..replay.clone()
        };
        assert!(header.port(1).is_err());
    }
}
