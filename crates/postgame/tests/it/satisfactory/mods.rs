//! What mods store: nothing of those whose forms are known stays unread.

use postgame::satisfactory::model::{Struct, Tail, Value};
use postgame::satisfactory::{self, model};
use postgame::{ReadOptions, Report};

use crate::corpus;

/// Panels of FicsIt-Networks by their size, and how many traces there are.
#[derive(Debug, Default, PartialEq)]
struct Networks {
    panels: Vec<(i32, i32)>,
    traces: usize,
}

fn count_traces(value: &Value) -> usize {
    match value {
        Value::Struct(Struct::Trace(_)) => 1,
        Value::Struct(Struct::Properties(properties)) => traces_in(properties),
        Value::List(list) => list.items.iter().map(count_traces).sum(),
        Value::Map(map) => {
            let pairs = map.pairs.iter();
            pairs
                .map(|(key, value)| count_traces(key) + count_traces(value))
                .sum()
        }
        _ => 0,
    }
}

fn traces_in(properties: &model::Properties) -> usize {
    let values = properties.0.iter().map(|property| &property.value);
    values.map(count_traces).sum()
}

#[test]
fn traces_and_panels_of_ficsit_networks_are_decoded() {
    let Some(path) = corpus::folder().map(|folder| folder.join("satisfactory/Dunarr-027.sav"))
    else {
        return;
    };
    let Ok(bytes) = std::fs::read(path) else {
        return;
    };
    let save = satisfactory::read(&bytes, &ReadOptions::default(), &mut Report::default()).unwrap();
    let mut networks = Networks::default();
    let body = save.body.as_ref().unwrap();
    let decoder = body.decoder();
    for level in body.all_levels() {
        for entry in &level.objects {
            let object = decoder.object(body.form(level), entry).unwrap().0;
            if let Some(Tail::Panel(panel)) = object.tail() {
                networks.panels.push((panel.height, panel.width));
                assert_eq!(panel.modules.len() as i32, panel.height * panel.width);
            }
            networks.traces += object.properties().map_or(0, traces_in);
        }
    }
    networks.panels.sort_unstable();
    // By the notes on the file: a screen, a listener, and three panels.
    let expected = Networks {
        panels: vec![(8, 5), (8, 5), (11, 11)],
        traces: 2,
    };
    assert_eq!(networks, expected);
    // Nothing of the mod is kept unread.
    let mut report = Report::default();
    satisfactory::check(&save, &mut report);
    let unread: Vec<String> = report
        .findings()
        .iter()
        .map(|finding| format!("{finding:?}"))
        .filter(|finding| finding.contains("unread") || finding.contains("bytes after what"))
        .collect();
    assert!(unread.is_empty(), "{unread:#?}");
}
