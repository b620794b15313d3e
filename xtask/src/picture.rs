//! The picture in the README: the sample bout from above, drawn from the timeline.

use std::fmt::Write as _;

use postgame::timeline::{Entity, Timeline};
use postgame::{ReadOptions, read};

use crate::tools::{Result, root};

/// Pixels per metre, and the picture's size.
const SCALE: f32 = 72.0;
const WIDTH: f32 = 860.0;
const HEIGHT: f32 = 520.0;

/// Colours of the two players and of what they throw; they read on light and dark pages alike.
const COLOURS: [&str; 2] = ["#2f81f7", "#e5734a"];

/// How often the paths are sampled, and how often a player is drawn, in seconds.
const STEP_S: f64 = 0.04;
const FIGURE_S: f64 = 4.0;

/// Draws the sample bout.
pub fn bout() -> Result<Vec<u8>> {
    let path = root().join("samples/bout-archive.replay");
    let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let (recording, _) =
        read(&bytes, &ReadOptions::default()).map_err(|error| error.to_string())?;
    draw(&recording.timeline())
        .map(String::into_bytes)
        .map_err(|error| error.to_string())
}

fn on_paper([x, _, z]: [f32; 3]) -> (f32, f32) {
    (WIDTH / 2.0 + x * SCALE, HEIGHT / 2.0 + z * SCALE)
}

fn draw(timeline: &Timeline) -> std::result::Result<String, std::fmt::Error> {
    let mut svg = String::new();
    writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"14\">"
    )?;
    writeln!(
        svg,
        "<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"12\" fill=\"#f4f1ea\"/>"
    )?;
    let (cx, cy) = on_paper([0.0; 3]);
    for metres in [1, 2, 3, 4, 5] {
        let radius = metres as f32 * SCALE;
        writeln!(
            svg,
            "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"{radius}\" fill=\"none\" stroke=\"#ddd6c8\"/>"
        )?;
        writeln!(
            svg,
            "<text x=\"{:.0}\" y=\"{:.0}\" fill=\"#a39a88\" font-size=\"11\">{metres} m</text>",
            cx + 4.0,
            cy - radius - 3.0
        )?;
    }
    let of_kind = |kind: &'static str| {
        timeline
            .entities
            .iter()
            .filter(move |entity| entity.kind == kind)
    };
    for (index, structure) in of_kind("structure").enumerate() {
        draw_structure(&mut svg, timeline, structure, COLOURS[index % 2])?;
    }
    for (index, head) in of_kind("head").enumerate() {
        let name = head.name.trim_end_matches(" head");
        let hands: Vec<&Entity> = of_kind("left_hand")
            .chain(of_kind("right_hand"))
            .filter(|hand| hand.parent == head.parent)
            .collect();
        draw_player(&mut svg, timeline, name, head, &hands, COLOURS[index % 2])?;
    }
    for event in timeline
        .events
        .iter()
        .filter(|event| event.kind == "impact-heavy")
    {
        let (x, y) = on_paper(event.position.unwrap_or_default());
        writeln!(
            svg,
            "<path d=\"M{:.1} {:.1}l12 12m0 -12l-12 12\" stroke=\"#b3261e\" stroke-width=\"2.5\"/>",
            x - 6.0,
            y - 6.0
        )?;
    }
    let seconds = timeline.duration_s();
    let hits = timeline
        .events
        .iter()
        .filter(|event| event.kind == "impact-heavy")
        .count();
    writeln!(
        svg,
        "<text x=\"20\" y=\"{}\" fill=\"#6b6459\">samples/bout-archive.replay: {seconds:.0} s, {} structures, {hits} hits \
         (×), from above</text>",
        HEIGHT - 18.0,
        of_kind("structure").count()
    )?;
    svg.push_str("</svg>\n");
    Ok(svg)
}

/// A path through the positions of an entity while it is shown.
fn path(timeline: &Timeline, entity: &Entity) -> Vec<(f32, f32)> {
    let steps = (timeline.duration_s() / STEP_S) as usize;
    let mut points: Vec<(f32, f32)> = Vec::new();
    for step in 0..=steps {
        let time_s = timeline.start_s + step as f64 * STEP_S;
        if entity.flag("active", time_s) == Some(false) {
            continue;
        }
        let Some(point) = entity.position(time_s).map(on_paper) else {
            continue;
        };
        if points
            .last()
            .is_none_or(|last| (last.0 - point.0).hypot(last.1 - point.1) > 0.5)
        {
            points.push(point);
        }
    }
    points
}

fn polyline(points: &[(f32, f32)]) -> String {
    points
        .iter()
        .map(|(x, y)| format!("{x:.1},{y:.1}"))
        .collect::<Vec<_>>()
        .join(" ")
}

fn draw_structure(
    svg: &mut String,
    timeline: &Timeline,
    structure: &Entity,
    colour: &str,
) -> std::fmt::Result {
    let points = path(timeline, structure);
    let Some(&(x, y)) = points.first() else {
        return Ok(());
    };
    writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-opacity=\"0.55\" stroke-width=\"2\" \
         stroke-dasharray=\"1 5\" stroke-linecap=\"round\"/>",
        polyline(&points)
    )?;
    let (x, y) = (x - 5.0, y - 5.0);
    writeln!(
        svg,
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"10\" height=\"10\" rx=\"2\" fill=\"{colour}\" fill-opacity=\"0.75\"/>"
    )
}

fn draw_player(
    svg: &mut String,
    timeline: &Timeline,
    name: &str,
    head: &Entity,
    hands: &[&Entity],
    colour: &str,
) -> std::fmt::Result {
    let points = path(timeline, head);
    writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"3\"/>",
        polyline(&points)
    )?;
    let mut time_s = timeline.start_s;
    while time_s <= timeline.end_s {
        if let Some((x, y)) = head.position(time_s).map(on_paper) {
            for (hx, hy) in hands
                .iter()
                .filter_map(|hand| hand.position(time_s))
                .map(on_paper)
            {
                writeln!(
                    svg,
                    "<path d=\"M{x:.1} {y:.1}L{hx:.1} {hy:.1}\" stroke=\"{colour}\" stroke-width=\"4\" stroke-linecap=\"round\"/>"
                )?;
            }
            writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"9\" fill=\"{colour}\" stroke=\"#f4f1ea\" stroke-width=\"2\"/>"
            )?;
            writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"#6b6459\" font-size=\"11\">{time_s:.0} s</text>",
                x + 13.0,
                y + 4.0
            )?;
        }
        time_s += FIGURE_S;
    }
    let Some((x, y)) = points.first() else {
        return Ok(());
    };
    writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"{colour}\" font-weight=\"bold\" text-anchor=\"middle\">{name}</text>",
        x,
        y - 16.0
    )
}
