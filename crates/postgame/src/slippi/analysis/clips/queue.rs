//! Queues that Dolphin plays one after the other (`dolphin -i FILE`).

use serde::Serialize;

use super::Clip;

/// A playback queue in Dolphin's JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Queue {
    mode: &'static str,
    replay: &'static str,
    is_real_time_mode: bool,
    output_overlay_files: bool,
    /// The clips.
    pub queue: Vec<Item>,
}

/// A clip of a queue.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    /// The replay's file.
    pub path: String,
    /// The first frame.
    pub start_frame: i32,
    /// The last frame.
    pub end_frame: i32,
    /// When the game was played, as text that is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game_start_at: Option<String>,
    /// Where it was played, as text that is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game_station: Option<String>,
}

impl Queue {
    /// A queue of these clips.
    pub fn new(queue: Vec<Item>) -> Self {
        Self {
            mode: "queue",
            replay: "",
            is_real_time_mode: false,
            output_overlay_files: true,
            queue,
        }
    }
}

impl Item {
    /// A clip of a file.
    pub fn new(path: String, clip: &Clip) -> Self {
        Self {
            path,
            start_frame: clip.start_frame,
            end_frame: clip.end_frame,
            game_start_at: None,
            game_station: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_has_the_keys_of_dolphin() {
        let item = Item {
            path: "a.slp".to_owned(),
            start_frame: -123,
            end_frame: 90,
            game_start_at: None,
            game_station: None,
        };
        let text = serde_json::to_string(&Queue::new(vec![item])).unwrap();
        assert_eq!(
            text,
            "{\"mode\":\"queue\",\"replay\":\"\",\"isRealTimeMode\":false,\"outputOverlayFiles\":true,\
             \"queue\":[{\"path\":\"a.slp\",\"startFrame\":-123,\"endFrame\":90}]}"
        );
    }
}
