//! What a detector finds, and the event made of it.

use std::borrow::Cow;

use super::known::Known;
use super::team_name;
use crate::rocket_league::coords;
use crate::timeline::{Detail, Event};

/// Something a player or a team did.
#[derive(Clone, Debug)]
pub(super) struct Feat {
    pub kind: &'static str,
    pub person: Option<usize>,
    /// To whom it was done, or who did it too.
    pub other: Option<usize>,
    pub team: Option<u8>,
    pub frame: usize,
    /// The last frame, of what takes a time.
    pub end: usize,
    pub details: Vec<Detail>,
}

impl Feat {
    /// Something a player did in a frame.
    pub fn new(known: &Known<'_>, kind: &'static str, person: usize, frame: usize) -> Self {
        Self {
            kind,
            person: Some(person),
            other: None,
            team: known.team(person),
            frame,
            end: frame,
            details: Vec::new(),
        }
    }

    /// Something a team did in a frame.
    pub fn of_team(kind: &'static str, team: u8, frame: usize) -> Self {
        Self {
            kind,
            person: None,
            other: None,
            team: Some(team),
            frame,
            end: frame,
            details: Vec::new(),
        }
    }

    pub fn until(mut self, end: usize) -> Self {
        self.end = end;
        self
    }

    pub fn with(mut self, name: &'static str, value: impl Into<Cow<'static, str>>) -> Self {
        self.details.push((name, value.into()));
        self
    }

    /// A whole number.
    pub fn whole(self, name: &'static str, value: f32) -> Self {
        self.with(name, (value.round() as i64).to_string())
    }

    /// A number with two decimals.
    pub fn decimal(self, name: &'static str, value: f64) -> Self {
        self.with(name, format!("{value:.2}"))
    }

    pub fn flag(self, name: &'static str, is_so: bool) -> Self {
        if is_so { self.with(name, "true") } else { self }
    }

    pub fn detail(&self, name: &str) -> Option<&str> {
        let found = self.details.iter().find(|detail| detail.0 == name);
        found.map(|detail| &*detail.1)
    }

    /// The event.
    pub fn event(self, known: &Known<'_>) -> Event {
        let entity = |person: Option<usize>| Some(known.person(person?)?.entity);
        let position = match self.person {
            Some(person) => known
                .person(person)
                .and_then(|person| person.car.position(self.frame)),
            None => known.ball.position(self.frame),
        };
        let mut details = Vec::with_capacity(self.details.len() + 3);
        details.extend(self.team.map(|team| ("team", team_name(team))));
        if self.end > self.frame {
            let duration_s = known.time_s(self.end) - known.time_s(self.frame);
            details.push(("duration_s", format!("{duration_s:.2}").into()));
            details.push(("end_frame", known.number(self.end).to_string().into()));
        }
        details.extend(self.details);
        Event {
            who: entity(self.person),
            whom: entity(self.other),
            position: position.map(coords::position),
            details: details.into(),
            ..known.event(self.frame, self.kind)
        }
    }
}
