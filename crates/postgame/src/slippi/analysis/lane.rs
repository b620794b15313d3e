//! One character's events by frame, for analyses that look at single columns.

use super::stats::game::{ABSENT, indices};
use crate::slippi::codec::model::frames::Frames;
use crate::slippi::codec::model::updates::{Post, Pre};

/// One character in the rows of interest. An index counts these rows.
pub(crate) struct Lane<'a> {
    /// The port, from 0.
    pub port: u8,
    pre: &'a Pre,
    post: &'a Post,
    pre_at: Vec<u32>,
    post_at: Vec<u32>,
}

impl<'a> Lane<'a> {
    /// The leader or follower of a port in these rows; `None` if it never appears.
    pub fn new(frames: &'a Frames, rows: &[usize], port: u8, is_follower: bool) -> Option<Self> {
        let character = frames.character(port, is_follower)?;
        Some(Self {
            port,
            pre: &character.pre.columns,
            post: &character.post.columns,
            pre_at: indices(&character.pre.rows, rows, frames.len()),
            post_at: indices(&character.post.rows, rows, frames.len()),
        })
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.post_at.len()
    }

    /// Whether the character has an event after this row.
    #[inline]
    pub fn is_there(&self, index: usize) -> bool {
        self.post_at.get(index).is_some_and(|&at| at != ABSENT)
    }

    /// A value after a frame; `None` where the character is absent or the version has no such column.
    #[inline]
    pub fn post<T: Copy>(&self, index: usize, column: impl Fn(&Post) -> &[T]) -> Option<T> {
        let at = *self.post_at.get(index)?;
        column(self.post).get(at as usize).copied()
    }

    /// A value before a frame; `None` where the character is absent or the version has no such column.
    #[inline]
    pub fn pre<T: Copy>(&self, index: usize, column: impl Fn(&Pre) -> &[T]) -> Option<T> {
        let at = *self.pre_at.get(index)?;
        column(self.pre).get(at as usize).copied()
    }

    /// The action state after a frame.
    #[inline]
    pub fn state(&self, index: usize) -> Option<u16> {
        self.post(index, |post| &post.action_state)
    }

    /// The stick as the game sees it.
    #[inline]
    pub fn stick(&self, index: usize) -> Option<[f32; 2]> {
        Some([
            self.pre(index, |pre| &pre.joystick_x)?,
            self.pre(index, |pre| &pre.joystick_y)?,
        ])
    }

    /// The C-stick as the game sees it.
    #[inline]
    pub fn cstick(&self, index: usize) -> Option<[f32; 2]> {
        Some([
            self.pre(index, |pre| &pre.cstick_x)?,
            self.pre(index, |pre| &pre.cstick_y)?,
        ])
    }
}
