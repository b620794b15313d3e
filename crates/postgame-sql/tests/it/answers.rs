//! The answers to the queries of `docs/queries.md`, found without tables and SQL: by the library's models, timelines and
//! statistics, which other tests compare with what other programs say.

use std::collections::BTreeMap;
use std::path::PathBuf;

use postgame::rocket_league::coords::position_uu;
use postgame::rocket_league::model::network::What;
use postgame::satisfactory::model::{Struct, Tail, Value};
use postgame::sha256;
use postgame::slippi::sets::{Game, GamePlayer};
use postgame::slippi::stats::{Analysis, analyse};
use postgame::slippi::{self, names, states};
use postgame::timeline::{Sample, Timeline};
use postgame::{ReadOptions, Recording, Summary};

/// A number with a fraction, to nine digits.
pub fn number(number: f64) -> String {
    format!("{number:.9e}")
}

/// A recording with what was found in it.
struct One {
    id: String,
    recording: Recording,
    summary: Summary,
    timeline: Timeline,
    analysis: Option<Analysis>,
}

/// All recordings, each once.
pub struct Recordings(Vec<One>);

type Rows = Vec<Vec<String>>;

/// Counts by key, as rows in the keys' order.
fn counted(keys: impl IntoIterator<Item = Vec<String>>) -> Rows {
    let mut counts = BTreeMap::<Vec<String>, u64>::new();
    keys.into_iter()
        .for_each(|key| *counts.entry(key).or_default() += 1);
    let row = |(mut key, count): (Vec<String>, u64)| {
        key.push(count.to_string());
        key
    };
    let mut rows: Rows = counts.into_iter().map(row).collect();
    // Null comes last in SQL.
    let order = |row: &Vec<String>| -> Vec<(bool, String)> {
        let cells = row.iter().map(|cell| (cell == "null", cell.clone()));
        cells.collect()
    };
    rows.sort_by_key(order);
    rows
}

/// The rows with the highest last numbers, in order of these, then of the keys.
fn highest(mut rows: Rows, count: usize) -> Rows {
    let last = |row: &Vec<String>| row.last().unwrap().parse::<u64>().unwrap();
    rows.sort_by(|one, other| last(other).cmp(&last(one)).then(one.cmp(other)));
    rows.truncate(count);
    rows
}

impl Recordings {
    pub fn read(files: &[PathBuf]) -> Self {
        let mut all = Vec::new();
        for file in files {
            let bytes = std::fs::read(file).unwrap();
            let Ok((recording, _)) = postgame::read(&bytes, &ReadOptions::default()) else {
                continue;
            };
            // Lists are made of headers, except for Rocket League's, which tell too little.
            let (header, _) = postgame::read(&bytes, &ReadOptions::header()).unwrap();
            let summary = match &recording {
                Recording::RocketLeague(replay) => postgame::rocket_league::full_summary(replay),
                _ => header.summary(),
            };
            all.push(One {
                id: sha256(&bytes)[..16].to_owned(),
                summary,
                timeline: recording.timeline(),
                analysis: match &recording {
                    Recording::Slippi(replay) => Some(analyse(replay)),
                    _ => None,
                },
                recording,
            });
        }
        // Answers that are sorted by id are so here.
        all.sort_by(|one, other| one.id.cmp(&other.id));
        Self(all)
    }

    fn rocket_league(&self) -> impl Iterator<Item = (&One, &postgame::rocket_league::Replay)> {
        self.0.iter().filter_map(|one| match &one.recording {
            Recording::RocketLeague(replay) => Some((one, replay)),
            _ => None,
        })
    }

    fn slippi(&self) -> impl Iterator<Item = (&One, &slippi::Replay, &Analysis)> {
        self.0
            .iter()
            .filter_map(|one| match (&one.recording, &one.analysis) {
                (Recording::Slippi(replay), Some(analysis)) => Some((one, &**replay, analysis)),
                _ => None,
            })
    }

    /// Every object of every save and blueprint.
    fn objects(&self, mut visit: impl FnMut(&One, &postgame::satisfactory::model::Object)) {
        for one in &self.0 {
            let body = match &one.recording {
                Recording::Satisfactory(save) => save.body.as_ref(),
                Recording::SatisfactoryBlueprint(blueprint) => blueprint.body.as_ref(),
                _ => None,
            };
            if let Some(body) = body {
                body.visit(|_, object, _| {
                    visit(one, &object);
                    Ok(())
                })
                .unwrap();
            }
        }
    }

    /// The answer to the query with a heading.
    pub fn answer(&self, heading: &str) -> Rows {
        match heading {
            "Recordings of each game" => counted(
                self.0
                    .iter()
                    .map(|one| vec![one.recording.format().id().to_owned()]),
            ),
            "Who is in most recordings of a game" => counted(self.0.iter().flat_map(|one| {
                let game = vec![one.recording.format().id().to_owned()];
                std::iter::repeat_n(game, one.summary.players.len())
            })),
            "Rocket League: replays and frames on each map" => self.frames_by_map(),
            "Rocket League: goals per minute" => self.goals_per_minute(),
            "Rocket League: boost pads, own and stolen" => self.pads(),
            "Rocket League: which attributes change most" => self.attributes(),
            "Rocket League: actors that come and go" => {
                let actions = self.rocket_league().flat_map(|(_, replay)| {
                    let frames = replay.body.iter().flat_map(|body| body.network.frames());
                    let actions = frames.flat_map(|frame| frame.actions());
                    actions.filter_map(|action| match action.what {
                        What::Deleted => Some(vec!["vanishes".to_owned()]),
                        What::Spawned(_) => Some(vec!["appears".to_owned()]),
                        What::Updated(_) => None,
                    })
                });
                counted(actions)
            }
            "Rocket League: the fastest car" => self.fastest(),
            "Rocket League: how long the ball is in each half" => self.halves(),
            "Slippi: games on each stage" => counted(
                self.slippi()
                    .map(|(one, ..)| vec![one.summary.map.clone().unwrap()]),
            ),
            "Slippi: the last frame of each game" => {
                let last = |(one, replay, _): (&One, &slippi::Replay, &Analysis)| {
                    let frames = replay.frames.as_ref()?;
                    // A frame that only begins has no character in it.
                    let rows = frames
                        .characters
                        .iter()
                        .flat_map(|one| one.pre.rows.iter().chain(one.post.rows.iter()).max());
                    let ids = &frames.ids;
                    rows.max()?;
                    let with_character = |row: &usize| {
                        let mut all = frames.characters.iter();
                        all.any(|one| one.pre.at(*row).is_some() || one.post.at(*row).is_some())
                    };
                    let last = (0..ids.len())
                        .filter(with_character)
                        .map(|row| ids[row])
                        .max()?;
                    Some(vec![one.id.clone(), last.to_string()])
                };
                self.slippi().filter_map(last).collect()
            }
            "Slippi: conversions, and how many of them kill" => {
                let all = || {
                    self.slippi()
                        .flat_map(|(_, _, analysis)| &analysis.conversions)
                };
                let kills = all().filter(|one| one.did_kill).count();
                vec![vec![all().count().to_string(), kills.to_string()]]
            }
            "Slippi: how openings come about" => {
                let all = self
                    .slippi()
                    .flat_map(|(_, _, analysis)| &analysis.conversions);
                counted(all.map(|one| vec![one.opening.name().to_owned()]))
            }
            "Slippi: the most used moves of each character" => {
                let moves = self.slippi().flat_map(|(_, replay, analysis)| {
                    let moves = analysis.conversions.iter().flat_map(|one| &one.moves);
                    moves.map(move |one| {
                        let character = replay.starting_character(one.port).unwrap();
                        let character = names::character(character).unwrap().name;
                        vec![
                            character.to_owned(),
                            states::attack_name(one.attack).into_owned(),
                        ]
                    })
                });
                highest(counted(moves), 10)
            }
            "Slippi: the longest combos" => {
                let mut lengths = BTreeMap::<usize, u64>::new();
                for (_, _, analysis) in self.slippi() {
                    for combo in &analysis.combos {
                        *lengths.entry(combo.moves.len()).or_default() += 1;
                    }
                }
                let longest = lengths.into_iter().rev().take(5);
                longest
                    .map(|(moves, count)| vec![moves.to_string(), count.to_string()])
                    .collect()
            }
            "Slippi: win rate by match-up and stage" => self.win_rates(),
            "Satisfactory: iron plates in storage" => self.iron_plates(),
            "Satisfactory: what stands in the world" => self.things(),
            "Satisfactory: what is on the belts" => self.on_belts(),
            "Satisfactory: the largest electric circuits" => self.circuits(),
            "RUMBLE: how high heads are" => self.heads(),
            other => panic!("nobody knows the answer to {other}"),
        }
    }

    fn frames_by_map(&self) -> Rows {
        let mut maps = BTreeMap::<Option<String>, (u64, u64)>::new();
        for (one, _) in self.rocket_league() {
            if let Some(frames) = one.summary.frames {
                let map = one.summary.map.as_ref().map(|map| map.to_lowercase());
                let sums = maps.entry(map).or_default();
                *sums = (sums.0 + 1, sums.1 + frames);
            }
        }
        // Null comes last in SQL.
        let unknown = maps.remove(&None);
        let known = maps.into_iter().chain(unknown.map(|sums| (None, sums)));
        known
            .map(|(map, (replays, frames))| {
                let map = map.unwrap_or_else(|| "null".to_owned());
                vec![map, replays.to_string(), frames.to_string()]
            })
            .collect()
    }

    fn goals_per_minute(&self) -> Rows {
        let rate = |(one, _): (&One, _)| {
            let goals = one
                .timeline
                .events
                .iter()
                .filter(|event| event.kind == "goal")
                .count();
            let duration_s = one
                .summary
                .duration_s
                .filter(|duration_s| *duration_s > 0.0)?;
            let rate = goals as f64 / (duration_s / 60.0);
            (goals > 0).then(|| vec![one.id.clone(), number(rate)])
        };
        self.rocket_league().filter_map(rate).collect()
    }

    fn pads(&self) -> Rows {
        let events = self
            .rocket_league()
            .flat_map(|(one, _)| &one.timeline.events);
        let taken = events
            .filter(|event| event.kind == "boost-pickup")
            .map(|event| {
                let detail = |name: &str| event.detail(name).unwrap_or_default();
                let is_big = match detail("size") {
                    "big" => "true",
                    "small" => "false",
                    _ => "null",
                };
                vec![detail("side").to_owned(), is_big.to_owned()]
            });
        counted(taken)
    }

    fn attributes(&self) -> Rows {
        let mut counts = BTreeMap::<String, u64>::new();
        for (_, replay) in self.rocket_league() {
            for update in replay.updates() {
                let name = update.attribute.unwrap();
                match counts.get_mut(name) {
                    Some(count) => *count += 1,
                    None => drop(counts.insert(name.to_owned(), 1)),
                }
            }
        }
        let rows = counts
            .into_iter()
            .map(|(name, count)| vec![name, count.to_string()]);
        highest(rows.collect(), 10)
    }

    /// The times of a replay's frames, in order.
    fn frame_times_s(replay: &postgame::rocket_league::Replay) -> Vec<f64> {
        let frames = replay.body.iter().flat_map(|body| body.network.frames());
        let mut times_s: Vec<f64> = frames.map(|frame| frame.time_s.into()).collect();
        times_s.sort_by(f64::total_cmp);
        times_s
    }

    fn fastest(&self) -> Rows {
        let fastest = |(one, replay): (&One, _)| {
            let mut fastest: Option<f32> = None;
            for car in one
                .timeline
                .entities
                .iter()
                .filter(|entity| entity.kind == "car")
            {
                for time_s in Self::frame_times_s(replay) {
                    if let (Some(_), Some(Sample::Position(velocity))) =
                        (car.position(time_s), car.sample("velocity_m_s", time_s))
                    {
                        let [x, y, z] = position_uu(velocity);
                        fastest = Some(fastest.unwrap_or(0.0).max(x * x + y * y + z * z));
                    }
                }
            }
            Some(vec![one.id.clone(), number(f64::from(fastest?.sqrt()))])
        };
        self.rocket_league().filter_map(fastest).collect()
    }

    fn halves(&self) -> Rows {
        let mut halves = BTreeMap::<bool, u64>::new();
        for (one, replay) in self.rocket_league() {
            for ball in one
                .timeline
                .entities
                .iter()
                .filter(|entity| entity.kind == "ball")
            {
                for time_s in Self::frame_times_s(replay) {
                    // The game's Y is the timeline's Z.
                    if let Some([_, _, z]) = ball.position(time_s).filter(|place| place[2] != 0.0) {
                        *halves.entry(z < 0.0).or_default() += 1;
                    }
                }
            }
        }
        halves
            .into_iter()
            .map(|(half, count)| vec![half.to_string(), count.to_string()])
            .collect()
    }

    fn win_rates(&self) -> Rows {
        let mut results = BTreeMap::<Vec<String>, (u64, u64)>::new();
        for (_, replay, _) in self.slippi() {
            let game = Game::new(replay);
            let (Some(stage), [one, other]) = (names::stage(game.stage), &game.players[..]) else {
                continue;
            };
            for (player, opponent) in [(one, other), (other, one)] {
                let name = |player: &GamePlayer| names::character(player.character);
                let names = (name(player), name(opponent), player.won);
                let (Some(character), Some(opponent), Some(won)) = names else {
                    continue;
                };
                let key = [character.name, opponent.name, stage].map(str::to_owned);
                let (games, wins) = results.entry(key.to_vec()).or_default();
                *games += 1;
                *wins += u64::from(won);
            }
        }
        let mut rows: Vec<(Vec<String>, (u64, u64))> = results.into_iter().collect();
        rows.sort_by(|one, other| other.1.0.cmp(&one.1.0).then(one.0.cmp(&other.0)));
        let row = |(mut key, (games, wins)): (Vec<String>, (u64, u64))| {
            key.push(games.to_string());
            key.push(number(wins as f64 / games as f64));
            key
        };
        rows.into_iter().take(10).map(row).collect()
    }

    fn iron_plates(&self) -> Rows {
        let mut plates = 0;
        self.objects(|_, object| {
            let properties = object.data.as_ref().and_then(|data| data.properties());
            let stacks = properties.and_then(|properties| properties.value("mInventoryStacks"));
            let Some(Value::List(stacks)) = stacks else {
                return;
            };
            for stack in &stacks.items {
                let Value::Struct(Struct::Properties(stack)) = stack else {
                    continue;
                };
                let (Some(Value::Struct(Struct::Item(item))), Some(Value::Int(count))) =
                    (stack.value("Item"), stack.value("NumItems"))
                else {
                    continue;
                };
                if item.class.path.to_str().ends_with(".Desc_IronPlate_C") {
                    plates += i64::from(*count);
                }
            }
        });
        vec![vec![plates.to_string()]]
    }

    fn things(&self) -> Rows {
        let mut things = Vec::new();
        let key = |is_actor: bool, is_light: bool| vec![is_actor.to_string(), is_light.to_string()];
        self.objects(|_, object| {
            things.push(key(object.header.is_actor(), false));
            let fields = object.data.as_ref().and_then(|data| data.fields());
            if let Some(Tail::Lightweight(light)) = fields.and_then(|fields| fields.tail.as_ref()) {
                things.extend(light.instances().map(|_| key(true, true)));
            }
        });
        counted(things)
    }

    fn on_belts(&self) -> Rows {
        let mut items = Vec::new();
        self.objects(|_, object| {
            let fields = object.data.as_ref().and_then(|data| data.fields());
            let (is_chain, count) = match fields.and_then(|fields| fields.tail.as_ref()) {
                Some(Tail::Chain(chain)) => (true, chain.items.len()),
                Some(Tail::Belt(items)) => (false, items.len()),
                _ => return,
            };
            items.extend(std::iter::repeat_n(vec![is_chain.to_string()], count));
        });
        counted(items)
    }

    fn circuits(&self) -> Rows {
        let mut connections = Vec::new();
        self.objects(|one, object| {
            if !object.header.class.to_str().ends_with("Circuit") {
                return;
            }
            let properties = object.data.as_ref().and_then(|data| data.properties());
            let Some(properties) = properties else { return };
            if let (Some(Value::Int(id)), Some(Value::List(list))) = (
                properties.value("mCircuitID"),
                properties.value("mComponents"),
            ) {
                let key = vec![one.id.clone(), id.to_string()];
                connections.extend(std::iter::repeat_n(key, list.items.len()));
            }
        });
        highest(counted(connections), 5)
    }

    fn heads(&self) -> Rows {
        let mut heights = BTreeMap::<String, (u64, f64)>::new();
        for one in &self.0 {
            let Recording::Rumble(replay) = &one.recording else {
                continue;
            };
            let times_s: Vec<f64> = match replay {
                postgame::rumble::Replay::First(replay) => replay
                    .frames
                    .iter()
                    .flat_map(|frames| &frames.times_s)
                    .map(|&time_s| time_s.into())
                    .collect(),
                postgame::rumble::Replay::Second(replay) => replay
                    .stream
                    .iter()
                    .flat_map(|stream| &stream.frames)
                    .map(|frame| frame.time_s.into())
                    .collect(),
                postgame::rumble::Replay::Rr(replay) => replay.times_s(),
            };
            for (id, player) in one.timeline.entities.iter().enumerate() {
                if player.kind != "player" {
                    continue;
                }
                let sums = heights.entry(player.name.clone()).or_default();
                let head = one.timeline.entities.iter().find(|entity| {
                    entity.kind == "head" && entity.parent.is_some_and(|parent| parent.0 == id)
                });
                for place in times_s.iter().filter_map(|time_s| head?.position(*time_s)) {
                    *sums = (sums.0 + 1, sums.1 + f64::from(place[1]));
                }
            }
        }
        let row = |(name, (count, sum)): (String, (u64, f64))| {
            vec![name, count.to_string(), number(sum / count as f64)]
        };
        heights.into_iter().map(row).collect()
    }
}
