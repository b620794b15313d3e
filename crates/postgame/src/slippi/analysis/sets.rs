//! Games and their players as plain values, and games grouped into sets.
//!
//! Games of an online session share its id. Games without one belong together if they follow each other, have the same
//! players on the same ports and begin within a quarter of an hour of the one before, as far as their dates tell.

use serde::Serialize;

use crate::slippi::Replay;
use crate::slippi::codec::model::frames::Copies;
use crate::slippi::codec::model::start::Start;
use crate::slippi::codec::summary::summary;

/// Games that begin later than this after the one before belong to another set: a game takes eight minutes at most.
const MAX_BREAK_S: i64 = 15 * 60;

/// A game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Game {
    /// When it was played, as ISO 8601.
    pub date: Option<String>,
    /// The session; `None` offline.
    pub session: Option<String>,
    /// Which game of the session, from 1.
    pub number: Option<u32>,
    /// Which tiebreak of the game; 0 for the game itself.
    pub tiebreak: Option<u32>,
    /// The stage's id.
    pub stage: u16,
    /// The last frame.
    pub last_frame: Option<i32>,
    /// The players, by port.
    pub players: Vec<GamePlayer>,
}

/// A player of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GamePlayer {
    /// The port, from 0.
    pub port: u8,
    /// The character at the start, as the selection screen counts them.
    pub character: u8,
    /// The costume.
    pub costume: u8,
    /// `human`, `computer` or `demo`.
    pub kind: &'static str,
    /// The display name; empty if there is none.
    pub name: String,
    /// The connect code; empty if there is none.
    pub code: String,
    /// The name tag; empty if there is none.
    pub tag: String,
    /// The team, in team games.
    pub team: Option<u8>,
    /// Whether the player won; `None` if the file does not tell who did.
    pub won: Option<bool>,
    /// Whether the player is ahead on the last frame.
    pub is_ahead: bool,
    /// Stocks at the end; `None` without frames.
    pub stocks_left: Option<u8>,
    /// Percent at the end; `None` for those who are out.
    pub end_percent: Option<f32>,
}

/// Games that belong together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Set {
    /// The session; `None` offline.
    pub session: Option<String>,
    /// Which of the games given, in the order they were played.
    pub games: Vec<usize>,
    /// Games won, by the players of the first game.
    pub score: Vec<u32>,
    /// Games whose winner the files do not tell; the score counts who was ahead.
    pub undecided: u32,
}

impl Game {
    /// What is known of a replay's game.
    pub fn new(replay: &Replay) -> Self {
        let start = &replay.start;
        let session = start.session_id.map(|id| id.decoded());
        let (winners, leaders) = (replay.winners(), replay.leaders());
        let rows = replay.frames.as_ref().map(|one| one.rows(Copies::Final));
        let last_row = rows.and_then(|rows| rows.last().copied());
        let player = |port: u8| {
            let info = start.info.players.get(usize::from(port)).copied();
            let info = info.unwrap_or_default();
            let at_end = || {
                let frames = replay.frames.as_ref()?;
                let post = &frames.character(port, false)?.post;
                let index = post.at(last_row?)?;
                let stocks = *post.columns.stocks.get(index)?;
                Some((stocks, *post.columns.percent.get(index)?))
            };
            let at_end = at_end();
            GamePlayer {
                port,
                character: replay.starting_character(port).unwrap_or(info.character),
                costume: info.costume,
                kind: match info.player_type {
                    0 => "human",
                    1 => "computer",
                    _ => "demo",
                },
                name: name(
                    replay,
                    &Start::name_in(&start.display_names, port),
                    port,
                    "netplay",
                ),
                code: name(
                    replay,
                    &Start::name_in(&start.connect_codes, port),
                    port,
                    "code",
                ),
                tag: Start::name_in(&start.nametags, port),
                team: start.is_teams().then_some(info.team),
                won: (!winners.is_empty()).then(|| winners.contains(&port)),
                is_ahead: leaders.contains(&port),
                // A character that is gone has none.
                stocks_left: last_row.map(|_| at_end.map_or(0, |(stocks, _)| stocks)),
                end_percent: at_end.filter(|end| end.0 > 0).map(|(_, percent)| percent),
            }
        };
        Self {
            date: summary(replay).date,
            session: session.filter(|id| !id.is_empty()),
            number: start.game_number.filter(|&number| number > 0),
            tiebreak: start.tiebreak_number,
            stage: start.info.stage,
            last_frame: replay.last_frame(),
            players: start.ports().map(|(port, _)| player(port)).collect(),
        }
    }

    /// Whether two games have the same players on the same ports.
    fn has_same_players(&self, other: &Self) -> bool {
        let is_same = |one: &GamePlayer, other: &GamePlayer| {
            let is_known = !one.code.is_empty() || !one.name.is_empty() || !one.tag.is_empty();
            let who = |one: &GamePlayer| (one.code.clone(), one.name.clone(), one.tag.clone());
            // Without any name only the character tells.
            one.port == other.port
                && one.kind == other.kind
                && who(one) == who(other)
                && (is_known || one.character == other.character)
        };
        let mut pairs = self.players.iter().zip(&other.players);
        self.players.len() == other.players.len() && pairs.all(|(one, other)| is_same(one, other))
    }

    /// Whether this game begins soon enough after another one, or nothing tells.
    fn follows(&self, before: &Self) -> bool {
        let second = |game: &Self| game.date.as_deref().and_then(second);
        match (second(before), second(self)) {
            (Some(before), Some(now)) => (0..=MAX_BREAK_S).contains(&(now - before)),
            _ => true,
        }
    }
}

/// A name from the game's start, else from the metadata.
fn name(replay: &Replay, stored: &str, port: u8, key: &str) -> String {
    if !stored.is_empty() {
        return stored.to_owned();
    }
    let metadata = || {
        let players = replay.metadata()?.get("players")?;
        let names = players.get(&port.to_string())?.get("names")?;
        Some(names.get(key)?.as_text()?.to_string())
    };
    metadata().unwrap_or_default()
}

/// A moment of a date such as `2020-07-05T12:34:56Z` in seconds, good for differences.
fn second(date: &str) -> Option<i64> {
    let number = |range: std::ops::Range<usize>| date.get(range)?.parse::<i64>().ok();
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
    // Days since March of year 0: leap days come last then.
    let (year, month) = match month {
        1 | 2 => (year - 1, month + 9),
        _ => (year, month - 3),
    };
    let days = 365 * year + year.div_euclid(4) - year.div_euclid(100)
        + year.div_euclid(400)
        + (153 * month + 2) / 5
        + day;
    Some(((days * 24 + hour) * 60 + minute) * 60 + second)
}

/// Groups games into sets. The games come in the order of their files; sets are in the order of their first games.
pub fn sets(games: &[Game]) -> Vec<Set> {
    let mut order: Vec<usize> = (0..games.len()).collect();
    // Stable: games without a date keep their places among those of the same session.
    order.sort_by_key(|&index| {
        games
            .get(index)
            .and_then(|game| game.date.as_deref().and_then(second))
    });
    let mut sets: Vec<Set> = Vec::new();
    for index in order {
        let Some(game) = games.get(index) else {
            continue;
        };
        let found = match &game.session {
            Some(_) => sets.iter_mut().find(|set| set.session == game.session),
            None => sets.last_mut().filter(|set| {
                let last = set.games.last().and_then(|&last| games.get(last));
                let belongs = |last: &Game| game.has_same_players(last) && game.follows(last);
                set.session.is_none() && last.is_some_and(belongs)
            }),
        };
        match found {
            Some(set) => set.games.push(index),
            None => sets.push(Set {
                session: game.session.clone(),
                games: vec![index],
                score: Vec::new(),
                undecided: 0,
            }),
        }
    }
    for set in &mut sets {
        set.games.sort_by_key(|&index| {
            let game = games.get(index);
            game.map(|game| (game.number, game.tiebreak))
        });
        count(set, games);
    }
    sets
}

/// Counts a set's games. A game that went to a tiebreak is decided by the last one; one that was recorded twice counts once.
fn count(set: &mut Set, games: &[Game]) {
    let of_set: Vec<&Game> = set.games.iter().filter_map(|&at| games.get(at)).collect();
    let players = of_set.first().map_or(0, |game| game.players.len());
    set.score = vec![0; players];
    for (place, game) in of_set.iter().enumerate() {
        let next = of_set.get(place + 1);
        let is_same = |next: &Game| game.number.is_some() && next.number == game.number;
        // Two recordings of one game: both players', or a copy.
        let is_copy = |next: &Game| game.date.is_some() && next.date == game.date;
        if next.is_some_and(|next| is_same(next) || is_copy(next)) {
            continue;
        }
        let is_told = game.players.iter().any(|player| player.won.is_some());
        set.undecided += u32::from(!is_told);
        let ahead = game.players.iter().filter(|player| player.is_ahead).count();
        let teams = game.players.iter().any(|player| player.team.is_some());
        for (score, player) in set.score.iter_mut().zip(&game.players) {
            let has_won = match player.won {
                Some(won) => won,
                None => player.is_ahead && (ahead == 1 || teams),
            };
            *score += u32::from(has_won);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(date: &str, session: Option<&str>, number: Option<u32>, winner: u8) -> Game {
        let player = |port: u8| GamePlayer {
            port,
            character: 2,
            costume: 0,
            kind: "human",
            name: format!("Player {port}"),
            code: String::new(),
            tag: String::new(),
            team: None,
            won: Some(port == winner),
            is_ahead: port == winner,
            stocks_left: None,
            end_percent: None,
        };
        Game {
            date: Some(date.to_owned()),
            session: session.map(str::to_owned),
            number,
            tiebreak: None,
            stage: 31,
            last_frame: None,
            players: vec![player(0), player(1)],
        }
    }

    #[test]
    fn sessions_and_neighbours_are_sets() {
        let games = [
            game("2020-02-28T23:58:00Z", None, None, 0),
            game("2020-02-29T00:03:00Z", None, None, 1),
            game("2020-02-29T03:00:00Z", None, None, 1),
            game("2022-01-01T00:05:00Z", Some("a"), Some(2), 0),
            game("2022-01-01T00:00:00Z", Some("a"), Some(1), 0),
        ];
        let sets = sets(&games);
        let summary: Vec<_> = sets
            .iter()
            .map(|set| (&set.games[..], &set.score[..]))
            .collect();
        assert_eq!(
            summary,
            [
                (&[0, 1][..], &[1, 1][..]),
                (&[2], &[0, 1]),
                (&[4, 3], &[2, 0])
            ]
        );
    }

    #[test]
    fn a_tiebreak_decides_its_game() {
        let mut games = [
            game("2022-01-01T00:00:00Z", Some("a"), Some(1), 0),
            game("2022-01-01T00:08:00Z", Some("a"), Some(1), 1),
        ];
        games[1].tiebreak = Some(1);
        assert_eq!(sets(&games)[0].score, [0, 1]);
    }
}
