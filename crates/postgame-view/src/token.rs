//! The secret in the server's URL: other users of the machine can reach the port, but cannot guess the token.

use std::fmt;
use std::hint::black_box;
use std::io;

/// Random bytes in a token: 128 bits cannot be guessed by trying.
const TOKEN_BYTES: usize = 16;

/// The first segment of every valid path, in hexadecimal.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// A new token from the operating system's random number generator.
    ///
    /// # Errors
    /// When the system has no random numbers.
    pub fn random() -> io::Result<Self> {
        let mut bytes = [0_u8; TOKEN_BYTES];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        Ok(Self(
            bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
        ))
    }

    /// The token as it appears in a URL.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The part of a path after the token, which starts with `/` or is empty; `None` if the token is missing or wrong.
    pub fn strip<'a>(&self, path: &'a str) -> Option<&'a str> {
        let path = path.strip_prefix('/')?;
        let (token, rest) = path.split_at(path.find('/').unwrap_or(path.len()));
        self.is(token).then_some(rest)
    }

    /// Compares in constant time.
    fn is(&self, other: &str) -> bool {
        let (own, other) = (self.0.as_bytes(), other.as_bytes());
        let difference = own
            .iter()
            .zip(other)
            .fold(0, |difference, (a, b)| black_box(difference | (a ^ b)));
        own.len() == other.len() && difference == 0
    }
}

/// Omits the secret, so that it does not get into a log.
impl fmt::Debug for Token {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_token_opens() {
        let token = Token::random().unwrap();
        let text = token.as_str().to_owned();
        assert_eq!(text.len(), 32);
        assert_eq!(token.strip(&format!("/{text}/api")), Some("/api"));
        assert_eq!(token.strip(&format!("/{text}")), Some(""));
        let mut wrong = text.clone().into_bytes();
        wrong[31] ^= 1;
        let wrong = String::from_utf8(wrong).unwrap();
        for path in [
            String::new(),
            "/".to_owned(),
            "//".to_owned(),
            "/api".to_owned(),
            format!("/{wrong}/"),
            format!("/{}/", &text[..31]),
            format!("/{text}0/"),
            format!("//{text}/"),
            text.clone(),
            format!("/{}/", text.to_uppercase() + "x"),
        ] {
            assert_eq!(token.strip(&path), None, "{path}");
        }
    }

    #[test]
    fn no_two_tokens_are_alike_and_none_is_printed() {
        let (one, other) = (Token::random().unwrap(), Token::random().unwrap());
        assert_ne!(one.as_str(), other.as_str());
        assert!(!format!("{one:?}").contains(one.as_str()));
    }
}
