//! Finds the first difference between two values that ought to be equal.

use serde_json::Value;

/// Bytes shown before and after the first difference.
const CONTEXT_BYTES: usize = 8;

/// Describes where two byte strings begin to differ; `None` if they are equal.
pub fn bytes(ours: &[u8], theirs: &[u8]) -> Option<String> {
    if ours == theirs {
        return None;
    }
    let shorter = ours.len().min(theirs.len());
    let at = (0..shorter).find(|&at| ours[at] != theirs[at]);
    let at = at.unwrap_or(shorter);
    let around = |bytes: &[u8]| {
        let to = (at + CONTEXT_BYTES).min(bytes.len());
        format!(
            "{:02x?}",
            &bytes[at.saturating_sub(CONTEXT_BYTES).min(to)..to]
        )
    };
    Some(format!(
        "{} and {} bytes, first difference at {at:#x}: {} and {}",
        ours.len(),
        theirs.len(),
        around(ours),
        around(theirs)
    ))
}

/// Describes the first place at which two JSON values differ; `None` if they are equal.
pub fn json(ours: &Value, theirs: &Value) -> Option<String> {
    difference(&mut String::new(), ours, theirs)
}

fn difference(place: &mut String, ours: &Value, theirs: &Value) -> Option<String> {
    let inside = |place: &mut String, name: &str, ours: &Value, theirs: &Value| {
        let length = place.len();
        place.push('/');
        place.push_str(name);
        let found = difference(place, ours, theirs);
        place.truncate(length);
        found
    };
    match (ours, theirs) {
        (Value::Object(ours), Value::Object(theirs)) => {
            let names = ours
                .keys()
                .chain(theirs.keys().filter(|name| !ours.contains_key(*name)));
            names.into_iter().find_map(|name| {
                let (one, other) = (ours.get(name), theirs.get(name));
                inside(
                    place,
                    name,
                    one.unwrap_or(&Value::Null),
                    other.unwrap_or(&Value::Null),
                )
            })
        }
        (Value::Array(ours), Value::Array(theirs)) if ours.len() == theirs.len() => {
            let mut pairs = ours.iter().zip(theirs).enumerate();
            pairs.find_map(|(index, (one, other))| inside(place, &index.to_string(), one, other))
        }
        _ => (ours != theirs).then(|| format!("{place}: {ours} and {theirs}")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn the_first_difference_has_its_place() {
        assert_eq!(super::bytes(b"abc", b"abc"), None);
        let said = super::bytes(b"abc", b"ab").unwrap_or_default();
        assert!(
            said.starts_with("3 and 2 bytes, first difference at 0x2"),
            "{said}"
        );
        let (one, other) = (json!({"a": [1, {"b": 2}]}), json!({"a": [1, {"b": 3}]}));
        assert_eq!(super::json(&one, &one), None);
        assert_eq!(
            super::json(&one, &other).as_deref(),
            Some("/a/1/b: 2 and 3")
        );
    }
}
