//! Text from files, made safe to show.
//!
//! Names in recordings can contain anything: escape sequences that rewrite a terminal, and bidirectional controls that show
//! one name as another. [`printable`] is for text, [`Escaped`] for streams that are written piece by piece.

use std::io::{self, Write};

/// True for characters that act on a terminal or on the text around them: C0, C1, DEL, line and paragraph separators,
/// and bidirectional controls.
pub fn is_active(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

/// Text with every active character escaped, as in `\u{202e}` or `\n`.
pub fn printable(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        if is_active(letter) {
            safe.extend(letter.escape_default());
        } else {
            safe.push(letter);
        }
    }
    safe
}

/// How [`Escaped`] writes active characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// As `\u202e`, in JSON: there active characters are inside of strings. C0 is left alone: serializers escape it, and
    /// line feeds separate values.
    Json,
    /// As `\u{202e}`, in lines of text for a terminal. Line feeds and tabs stay.
    Terminal,
}

/// A writer of UTF-8 that escapes active characters on the way.
#[derive(Debug)]
pub struct Escaped<W: Write> {
    output: W,
    style: Style,
    /// The beginning of a character that may be an active one.
    pending: Vec<u8>,
}

impl<W: Write> Escaped<W> {
    /// Escapes everything that is written to `output`.
    pub fn new(output: W, style: Style) -> Self {
        Self {
            output,
            style,
            pending: Vec::new(),
        }
    }

    /// True for bytes that are, or begin, a character that may be escaped.
    fn is_suspect(&self, byte: u8) -> bool {
        match byte {
            // The first bytes of U+0080 to U+00BF, U+0600 to U+063F, U+2000 to U+2FFF, and DEL.
            0xc2 | 0xd8 | 0xe2 | 0x7f => true,
            b'\n' | b'\t' => false,
            0..0x20 => self.style == Style::Terminal,
            _ => false,
        }
    }

    /// Writes pending bytes without flushing the output. Call it at the end.
    ///
    /// # Errors
    /// When the output fails.
    pub fn flush_escapes(&mut self) -> io::Result<()> {
        self.settle()
    }

    /// Writes the pending bytes, escaped if they are an active character.
    fn settle(&mut self) -> io::Result<()> {
        let active = std::str::from_utf8(&self.pending)
            .ok()
            .and_then(|text| text.chars().next())
            .filter(|letter| is_active(*letter));
        match (active, self.style) {
            (Some(letter), Style::Json) => write!(self.output, "\\u{:04x}", u32::from(letter))?,
            (Some(letter), Style::Terminal) => write!(self.output, "{}", letter.escape_default())?,
            (None, _) => self.output.write_all(&self.pending)?,
        }
        self.pending.clear();
        Ok(())
    }
}

impl<W: Write> Write for Escaped<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut rest = bytes;
        while let Some((&byte, after)) = rest.split_first() {
            if let Some(&first) = self.pending.first() {
                let is_continued = matches!(byte, 0x80..0xc0);
                if is_continued {
                    self.pending.push(byte);
                    rest = after;
                }
                let length = if first == 0xe2 { 3 } else { 2 };
                if !is_continued || self.pending.len() == length {
                    self.settle()?;
                }
                continue;
            }
            let plain = rest.iter().position(|&byte| self.is_suspect(byte));
            let (plain, after) = rest.split_at(plain.unwrap_or(rest.len()));
            self.output.write_all(plain)?;
            rest = after;
            if let Some((&byte, after)) = rest.split_first() {
                self.pending.push(byte);
                rest = after;
                if byte < 0x80 {
                    self.settle()?;
                }
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.settle()?;
        self.output.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every character that must not reach a terminal, and neighbours that may.
    const ACTIVE: [char; 16] = [
        '\0', '\u{1b}', '\u{7f}', '\u{80}', '\u{9b}', '\u{9f}', '\u{61c}', '\u{200e}', '\u{200f}',
        '\u{2028}', '\u{202a}', '\u{202e}', '\u{2066}', '\u{2069}', '\r', '\u{7}',
    ];
    const HARMLESS: [char; 9] = [
        ' ', '~', '\u{a0}', '\u{61b}', '\u{200d}', '\u{202f}', '\u{206a}', '日', '🎮',
    ];

    fn escaped(text: &str, style: Style, piece: usize) -> String {
        let mut output = Vec::new();
        let mut writer = Escaped::new(&mut output, style);
        for piece in text.as_bytes().chunks(piece) {
            writer.write_all(piece).unwrap();
        }
        writer.flush().unwrap();
        drop(writer);
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn active_characters_are_escaped_and_others_are_not() {
        for letter in ACTIVE {
            assert!(!printable(&letter.to_string()).contains(letter));
        }
        for letter in HARMLESS {
            assert_eq!(printable(&letter.to_string()), letter.to_string());
        }
        assert_eq!(
            printable("a\u{202e}b\x1b[31m\nc"),
            "a\\u{202e}b\\u{1b}[31m\\nc"
        );
    }

    #[test]
    fn a_stream_says_the_same_as_text_however_it_is_cut() {
        let text: String = ACTIVE.iter().chain(&HARMLESS).collect();
        for piece in 1..=text.len() {
            assert_eq!(escaped(&text, Style::Terminal, piece), printable(&text));
        }
    }

    #[test]
    fn json_keeps_its_meaning() {
        let letters: String = ACTIVE.iter().chain(&HARMLESS).collect();
        let json = serde_json::to_string(&letters).unwrap() + "\n";
        for piece in 1..=json.len() {
            let safe = escaped(&json, Style::Json, piece);
            assert!(!safe.trim_end().chars().any(is_active), "{safe:?}");
            assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), letters);
        }
    }

    #[test]
    fn bytes_that_are_not_text_pass() {
        let bytes = [0xe2, 0xe2, 0x80, 0xc2, 0x41, 0xff, 0xd8];
        let mut output = Vec::new();
        let mut writer = Escaped::new(&mut output, Style::Terminal);
        writer.write_all(&bytes).unwrap();
        writer.flush().unwrap();
        assert_eq!(output, bytes);
    }
}
