//! Conditions on rows: `boost_percent > 50 and (team = 0 or name = "Ada")`.
//!
//! A condition compares columns with numbers, texts or `true` and `false`; `and`, `or`, `not`, parentheses, and
//! `is null`. A comparison with null is false, as in SQL.

use arrow::array::{
    Array as _, ArrayRef, BooleanArray, Datum, Float64Array, Int64Array, Scalar, StringArray,
};
use arrow::compute::kernels::cmp;
use arrow::compute::{and_kleene, cast, filter_record_batch, is_not_null, is_null, not, or_kleene};
use arrow::datatypes::{DataType, Schema};
use arrow::error::ArrowError;
use arrow::record_batch::RecordBatch;

/// A condition on rows.
#[derive(Clone, Debug, PartialEq)]
pub enum Filter {
    /// A column compared with a value.
    Compare(String, Comparison, Literal),
    /// A column is null, or is not.
    IsNull(String, bool),
    /// Negation.
    Not(Box<Filter>),
    /// Both conditions.
    And(Box<Filter>, Box<Filter>),
    /// At least one of the conditions.
    Or(Box<Filter>, Box<Filter>),
}

/// A comparison operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "they are what they are called")]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// The value to compare with.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// An integer.
    Whole(i64),
    /// A number.
    Number(f64),
    /// Text.
    Text(String),
    /// A boolean.
    Flag(bool),
}

/// Maximum nesting of conditions: each level is a call.
const MAX_DEPTH: usize = 100;

impl Filter {
    /// Parses a condition.
    ///
    /// # Errors
    /// A message about the invalid part.
    pub fn parse(text: &str) -> Result<Self, String> {
        let tokens = tokens(text)?;
        let mut parser = Parser {
            tokens: &tokens,
            depth: 0,
        };
        let filter = parser.any()?;
        match parser.tokens.first() {
            None => Ok(filter),
            Some(token) => Err(format!("did not expect {token} in the condition")),
        }
    }

    /// The columns it uses, each once.
    pub fn columns(&self) -> Vec<&str> {
        let mut columns = Vec::new();
        self.collect(&mut columns);
        columns
    }

    fn collect<'a>(&'a self, columns: &mut Vec<&'a str>) {
        match self {
            Self::Compare(column, ..) | Self::IsNull(column, _) => {
                if !columns.contains(&column.as_str()) {
                    columns.push(column);
                }
            }
            Self::Not(inner) => inner.collect(columns),
            Self::And(one, other) | Self::Or(one, other) => {
                one.collect(columns);
                other.collect(columns);
            }
        }
    }

    /// Checks that a table has the columns, and that they have suitable types.
    ///
    /// # Errors
    /// A message about the unsuitable part.
    pub fn check(&self, schema: &Schema) -> Result<(), String> {
        match self {
            Self::Not(inner) => inner.check(schema),
            Self::And(one, other) | Self::Or(one, other) => {
                one.check(schema)?;
                other.check(schema)
            }
            Self::IsNull(column, _) => field(schema, column).map(drop),
            Self::Compare(column, _, literal) => {
                let data_type = field(schema, column)?;
                let fits = match literal {
                    Literal::Whole(_) | Literal::Number(_) => data_type.is_numeric(),
                    Literal::Flag(_) => *data_type == DataType::Boolean,
                    Literal::Text(_) => {
                        matches!(data_type, DataType::Utf8 | DataType::Dictionary(..))
                    }
                };
                if fits {
                    Ok(())
                } else {
                    Err(format!("{column} cannot be compared with {literal:?}"))
                }
            }
        }
    }

    /// The rows of a batch that satisfy the condition.
    ///
    /// # Errors
    /// When a column is missing or has an unsuitable type.
    pub fn apply(&self, batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        filter_record_batch(batch, &self.holds(batch)?)
    }

    fn holds(&self, batch: &RecordBatch) -> Result<BooleanArray, ArrowError> {
        match self {
            Self::Not(inner) => not(&inner.holds(batch)?),
            Self::And(one, other) => and_kleene(&one.holds(batch)?, &other.holds(batch)?),
            Self::Or(one, other) => or_kleene(&one.holds(batch)?, &other.holds(batch)?),
            Self::IsNull(name, true) => is_null(column(batch, name)?),
            Self::IsNull(name, false) => is_not_null(column(batch, name)?),
            Self::Compare(name, comparison, literal) => {
                let column = column(batch, name)?;
                let is_real = matches!(column.data_type(), DataType::Float32 | DataType::Float64);
                match literal {
                    Literal::Whole(value) if !is_real => comparison.of(
                        &cast(column, &DataType::Int64)?,
                        &Scalar::new(Int64Array::from(vec![*value])),
                    ),
                    Literal::Whole(value) => comparison.of(
                        &cast(column, &DataType::Float64)?,
                        &Scalar::new(Float64Array::from(vec![*value as f64])),
                    ),
                    Literal::Number(value) => comparison.of(
                        &cast(column, &DataType::Float64)?,
                        &Scalar::new(Float64Array::from(vec![*value])),
                    ),
                    Literal::Text(value) => comparison.of(
                        &cast(column, &DataType::Utf8)?,
                        &Scalar::new(StringArray::from(vec![value.as_str()])),
                    ),
                    Literal::Flag(value) => {
                        comparison.of(column, &Scalar::new(BooleanArray::from(vec![*value])))
                    }
                }
            }
        }
    }
}

fn field<'a>(schema: &'a Schema, column: &str) -> Result<&'a DataType, String> {
    let field = schema.field_with_name(column);
    field
        .map(|field| field.data_type())
        .map_err(|_| format!("there is no column {column}"))
}

fn column<'a>(batch: &'a RecordBatch, name: &str) -> Result<&'a ArrayRef, ArrowError> {
    batch
        .column_by_name(name)
        .ok_or_else(|| ArrowError::SchemaError(format!("there is no column {name}")))
}

impl Comparison {
    fn of(self, column: &ArrayRef, value: &dyn Datum) -> Result<BooleanArray, ArrowError> {
        match self {
            Self::Equal => cmp::eq(column, value),
            Self::NotEqual => cmp::neq(column, value),
            Self::Less => cmp::lt(column, value),
            Self::LessOrEqual => cmp::lt_eq(column, value),
            Self::Greater => cmp::gt(column, value),
            Self::GreaterOrEqual => cmp::gt_eq(column, value),
        }
    }
}

/// A token of a condition.
#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    Literal(Literal),
    Comparison(Comparison),
    Open,
    Close,
}

impl std::fmt::Display for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Word(word) => f.write_str(word),
            Self::Literal(literal) => write!(f, "{literal:?}"),
            Self::Comparison(comparison) => write!(f, "{comparison:?}"),
            Self::Open => f.write_str("("),
            Self::Close => f.write_str(")"),
        }
    }
}

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    const SIGNS: &[(&str, Comparison)] = &[
        ("<=", Comparison::LessOrEqual),
        (">=", Comparison::GreaterOrEqual),
        ("!=", Comparison::NotEqual),
        ("<>", Comparison::NotEqual),
        ("==", Comparison::Equal),
        ("=", Comparison::Equal),
        ("<", Comparison::Less),
        (">", Comparison::Greater),
    ];
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(letter) = rest.chars().next() {
        let length = if letter == '(' || letter == ')' {
            tokens.push(if letter == '(' {
                Token::Open
            } else {
                Token::Close
            });
            1
        } else if let Some((sign, comparison)) =
            SIGNS.iter().find(|(sign, _)| rest.starts_with(sign))
        {
            tokens.push(Token::Comparison(*comparison));
            sign.len()
        } else if letter == '\'' || letter == '"' {
            let inner = rest.get(1..).unwrap_or_default();
            let end = inner
                .find(letter)
                .ok_or_else(|| format!("a text begins with {letter} and does not end"))?;
            let value = inner.get(..end).unwrap_or_default();
            tokens.push(Token::Literal(Literal::Text(value.to_owned())));
            end + 2
        } else {
            let is_end = |letter: char| {
                letter.is_whitespace() || matches!(letter, '(' | ')' | '<' | '>' | '=' | '!')
            };
            let end = rest.find(is_end).unwrap_or(rest.len());
            let word = rest.get(..end).unwrap_or_default();
            if word.is_empty() {
                return Err(format!("did not expect {letter} in the condition"));
            }
            tokens.push(self::word(word));
            end
        };
        rest = rest.get(length..).unwrap_or_default().trim_start();
    }
    Ok(tokens)
}

fn word(word: &str) -> Token {
    let is_number =
        word.starts_with(|letter: char| letter.is_ascii_digit() || "-+.".contains(letter));
    match word {
        "true" => Token::Literal(Literal::Flag(true)),
        "false" => Token::Literal(Literal::Flag(false)),
        _ if is_number => match (word.parse::<i64>(), word.parse::<f64>()) {
            (Ok(whole), _) => Token::Literal(Literal::Whole(whole)),
            (_, Ok(number)) => Token::Literal(Literal::Number(number)),
            _ => Token::Word(word.to_owned()),
        },
        _ => Token::Word(word.to_owned()),
    }
}

struct Parser<'a> {
    tokens: &'a [Token],
    depth: usize,
}

impl Parser<'_> {
    fn next(&mut self) -> Result<Token, String> {
        let (token, rest) = self
            .tokens
            .split_first()
            .ok_or("the condition ends too early")?;
        self.tokens = rest;
        Ok(token.clone())
    }

    /// Consumes a word if it is the next token.
    fn takes(&mut self, wanted: &str) -> bool {
        let is_next = matches!(self.tokens.first(), Some(Token::Word(word)) if word.eq_ignore_ascii_case(wanted));
        if is_next {
            self.tokens = self.tokens.get(1..).unwrap_or_default();
        }
        is_next
    }

    fn any(&mut self) -> Result<Filter, String> {
        let mut filter = self.all()?;
        while self.takes("or") {
            filter = Filter::Or(Box::new(filter), Box::new(self.all()?));
        }
        Ok(filter)
    }

    fn all(&mut self) -> Result<Filter, String> {
        let mut filter = self.one()?;
        while self.takes("and") {
            filter = Filter::And(Box::new(filter), Box::new(self.one()?));
        }
        Ok(filter)
    }

    fn one(&mut self) -> Result<Filter, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("the condition is nested too deeply".to_owned());
        }
        let filter = self.one_within();
        self.depth -= 1;
        filter
    }

    fn one_within(&mut self) -> Result<Filter, String> {
        if self.takes("not") {
            return Ok(Filter::Not(Box::new(self.one()?)));
        }
        match self.next()? {
            Token::Open => {
                let filter = self.any()?;
                match self.next()? {
                    Token::Close => Ok(filter),
                    token => Err(format!("expected ) in the condition, not {token}")),
                }
            }
            Token::Word(column) => {
                if self.takes("is") {
                    let is_null = !self.takes("not");
                    if !self.takes("null") {
                        return Err("expected null after is".to_owned());
                    }
                    return Ok(Filter::IsNull(column, is_null));
                }
                match (self.next()?, self.next()?) {
                    (Token::Comparison(comparison), Token::Literal(literal)) => {
                        Ok(Filter::Compare(column, comparison, literal))
                    }
                    (Token::Comparison(_), token) => Err(format!(
                        "expected a number, a text in quotes, true or false, not {token}"
                    )),
                    (token, _) => Err(format!("expected = != < <= > or >=, not {token}")),
                }
            }
            token => Err(format!("expected a column's name, not {token}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use arrow::array::{DictionaryArray, Float32Array, UInt8Array};
    use arrow::datatypes::Int32Type;

    fn batch() -> RecordBatch {
        let names: DictionaryArray<Int32Type> = [Some("Ada"), Some("Bo"), None, Some("Ada")]
            .into_iter()
            .collect();
        RecordBatch::try_from_iter([
            ("name", Arc::new(names) as ArrayRef),
            (
                "team",
                Arc::new(UInt8Array::from(vec![Some(0), Some(1), Some(1), None])) as ArrayRef,
            ),
            (
                "boost",
                Arc::new(Float32Array::from(vec![10.0, 20.5, 30.0, 40.0])) as ArrayRef,
            ),
        ])
        .unwrap()
    }

    fn rows(text: &str) -> usize {
        let filter = Filter::parse(text).unwrap();
        filter.check(&batch().schema()).unwrap();
        filter.apply(&batch()).unwrap().num_rows()
    }

    #[test]
    fn conditions_hold_for_the_right_rows() {
        for (text, expected) in [
            ("boost > 20.5", 2),
            ("boost>=20.5 and team=1", 2),
            ("name = 'Ada'", 2),
            ("name != \"Ada\"", 1),
            ("name is null", 1),
            ("name is not null and not team = 0", 1),
            ("team = 0 or boost = 40", 2),
            ("(team = 0 or team = 1) and boost < 30", 2),
            ("team = 0 or team = 1 and boost < 30", 2),
            ("team > -1", 3),
        ] {
            assert_eq!(rows(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for text in [
            "",
            "boost",
            "boost >",
            "boost > and",
            "(boost > 1",
            "boost > 1)",
            "1 > boost",
            "name = 'Ada",
            "boost is 1",
            "boost > 1 team",
            "!",
        ] {
            assert!(Filter::parse(text).is_err(), "{text}");
        }
        assert!(Filter::parse(&"(".repeat(100_000)).is_err());
        assert!(Filter::parse(&"not ".repeat(100_000)).is_err());
        for text in ["speed > 1", "name > 1", "boost = 'x'", "team = true"] {
            let filter = Filter::parse(text).unwrap();
            assert!(filter.check(&batch().schema()).is_err(), "{text}");
        }
    }
}
