//! Loadouts: the items a car is equipped with.

use serde::{Deserialize, Serialize};

use super::text::Text;
use super::values::Reference;
use super::versions::{Era, ProductKind};
use crate::error::{Context as _, Error, Result};
use crate::wire::bits::{BitReader, BitWriter};
use crate::wire::json::json_by_serde;
use crate::wire::record::{Bits, Wire, record};

record! {
    /// A loadout, as product ids.
    pub struct Loadout: Bits {
        /// The version of the loadout, which decides its length.
        pub version: u8,
        /// The body.
        pub body: u32,
        /// The decal.
        pub skin: u32,
        /// The wheels.
        pub wheels: u32,
        /// The boost.
        pub boost: u32,
        /// The antenna.
        pub antenna: u32,
        /// The topper.
        pub hat: u32,
        /// The finish of the team colour.
        pub paint_finish: u32,
        /// The finish of the custom colour.
        pub custom_finish: Option<u32> where version >= 11,
        /// The engine sound.
        pub engine_audio: Option<u32> where version >= 16,
        /// The trail.
        pub trail: Option<u32> where version >= 16,
        /// The goal explosion.
        pub goal_explosion: Option<u32> where version >= 16,
        /// The banner.
        pub banner: Option<u32> where version >= 17,
        /// The music.
        pub music: Option<u32> where version >= 19,
        /// Unknown.
        pub unknown: Option<u32> where version >= 22,
        /// The avatar border.
        pub avatar_border: Option<u32> where version >= 22,
        /// The player title.
        pub title: Option<u32> where version >= 22,
    }
}

record! {
    /// The loadouts of a player in both teams.
    pub struct TeamLoadout: Bits {
        /// For blue.
        pub blue: Loadout,
        /// For orange.
        pub orange: Loadout,
    }
}

/// The attributes of a loadout's products: a list for each product.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LoadoutOnline(pub Vec<Vec<Product>>);

impl Wire<Bits, Era> for LoadoutOnline {
    fn read(reader: &mut BitReader<'_>, era: &Era) -> Result<Self> {
        // Counts are below 256, so allocating for all of them is safe.
        let count = reader.bits(8)? as usize;
        let mut slots = Vec::with_capacity(count);
        for index in 0..count {
            let count = reader.bits(8).index(index)? as usize;
            let mut products = Vec::with_capacity(count);
            for inner in 0..count {
                products.push(Product::read(reader, era).index(inner).index(index)?);
            }
            slots.push(products);
        }
        Ok(Self(slots))
    }

    fn write(&self, writer: &mut BitWriter, era: &Era) -> Result<()> {
        let count = |list: usize, writer: &mut BitWriter| {
            let count = u8::try_from(list)
                .map_err(|_| Error::unwritable(format!("a list of {list} is too long")))?;
            writer.bits(count.into(), 8);
            Ok(())
        };
        count(self.0.len(), writer)?;
        for (index, products) in self.0.iter().enumerate() {
            count(products.len(), writer).index(index)?;
            for product in products {
                product.write(writer, era).index(index)?;
            }
        }
        Ok(())
    }
}

record! {
    /// The product attributes of both teams' loadouts.
    pub struct LoadoutsOnline: Bits(era: Era) {
        /// For blue.
        pub blue: LoadoutOnline,
        /// For orange.
        pub orange: LoadoutOnline,
        /// Whether it is set.
        pub is_set: bool,
        /// Whether it is out of date.
        pub is_deprecated: bool,
    }
}

/// An attribute of a product.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Product {
    /// The class of the attribute, an object.
    pub class: Reference,
    /// Its value.
    pub value: ProductValue,
}

impl Wire<Bits, Era> for Product {
    fn read(reader: &mut BitReader<'_>, era: &Era) -> Result<Self> {
        let class = <Reference as Wire<Bits, Era>>::read(reader, era).field("class")?;
        let value = ProductValue::read(&class, reader, era).field("value")?;
        Ok(Self { class, value })
    }

    fn write(&self, writer: &mut BitWriter, era: &Era) -> Result<()> {
        let Self { class, value } = self;
        Wire::<Bits, Era>::write(class, writer, era)?;
        value.write(writer, era)
    }
}

/// The value of a product's attribute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProductValue {
    /// An attribute without a class has no value.
    None,
    /// A colour of 8 bits per channel, red first, and an unknown byte.
    Color(u32),
    /// A colour before 868.23: 31 bits, or none.
    OldColor(Option<u32>),
    /// A paint in 31 bits.
    Paint(u32),
    /// A paint before 868.18: below 14.
    OldPaint(u8),
    /// An edition in 31 bits.
    SpecialEdition(u32),
    /// A team's edition in 31 bits.
    TeamEdition(u32),
    /// A team's edition before 868.18: below 14.
    OldTeamEdition(u8),
    /// A title.
    Title(Text),
    /// A statistic and its count.
    Certified {
        /// The statistic, in 31 bits.
        stat: u32,
        /// The count.
        value: u32,
    },
    /// An unknown attribute whose width was inferred.
    Other {
        /// Number of bits.
        width: u8,
        /// The bits.
        bits: u64,
    },
}

/// Before 868.18, paints and editions were numbers below this limit.
const OLD_LIMIT: u32 = 14;

fn read_old(reader: &mut BitReader<'_>) -> Result<u8> {
    let low = reader.bits(3)? as u32;
    let high = low + 8 < OLD_LIMIT && reader.bit()?;
    Ok((low + if high { 8 } else { 0 }) as u8)
}

fn write_old(value: u8, writer: &mut BitWriter) -> Result<()> {
    if u32::from(value) >= OLD_LIMIT {
        return Err(Error::unwritable(format!(
            "{value} is not below {OLD_LIMIT}"
        )));
    }
    let has_fourth = u32::from(value & 7) + 8 < OLD_LIMIT;
    writer.bits(value.into(), 3 + u32::from(has_fourth));
    Ok(())
}

impl ProductValue {
    fn read(class: &Reference, reader: &mut BitReader<'_>, era: &Era) -> Result<Self> {
        if class.id < 0 {
            return Ok(Self::None);
        }
        let kind = era
            .product_kinds
            .iter()
            .find(|(object, _)| *object == class.id && !class.is_actor);
        let kind = kind.map_or(ProductKind::Unknown, |(_, kind)| *kind);
        let is_new = era.versions.at_least(868, 18, 0);
        let wide = |reader: &mut BitReader<'_>| reader.bits(31).map(|bits| bits as u32);
        Ok(match kind {
            ProductKind::UserColor if era.versions.at_least(868, 23, 8) => {
                Self::Color(reader.bits(32)? as u32)
            }
            ProductKind::UserColor => Self::OldColor(match reader.bit()? {
                true => Some(wide(reader)?),
                false => None,
            }),
            ProductKind::Painted if is_new => Self::Paint(wide(reader)?),
            ProductKind::Painted => Self::OldPaint(read_old(reader)?),
            ProductKind::SpecialEdition => Self::SpecialEdition(wide(reader)?),
            ProductKind::TeamEdition if is_new => Self::TeamEdition(wide(reader)?),
            ProductKind::TeamEdition => Self::OldTeamEdition(read_old(reader)?),
            ProductKind::Certified => Self::Certified {
                stat: wide(reader)?,
                value: reader.bits(32)? as u32,
            },
            ProductKind::TitleId => Self::Title(Wire::<Bits, Era>::read(reader, era)?),
            ProductKind::Other(width) => Self::Other {
                width,
                bits: reader.bits(width.into())?,
            },
            ProductKind::Unknown => {
                return Err(reader.invalid(format!(
                    "object {} is no product attribute that is known",
                    class.id
                )));
            }
        })
    }

    fn write(&self, writer: &mut BitWriter, era: &Era) -> Result<()> {
        match self {
            Self::None => {}
            Self::Color(color) => writer.bits((*color).into(), 32),
            Self::OldColor(color) => {
                writer.bit(color.is_some());
                if let Some(color) = color {
                    writer.bits((*color).into(), 31);
                }
            }
            Self::Paint(number) | Self::SpecialEdition(number) | Self::TeamEdition(number) => {
                writer.bits((*number).into(), 31);
            }
            Self::OldPaint(number) | Self::OldTeamEdition(number) => write_old(*number, writer)?,
            Self::Certified { stat, value } => {
                writer.bits((*stat).into(), 31);
                writer.bits((*value).into(), 32);
            }
            Self::Title(text) => Wire::<Bits, Era>::write(text, writer, era)?,
            Self::Other { width, bits } => {
                if *width > 64 || (*width < 64 && bits >> width != 0) {
                    return Err(Error::unwritable(format!(
                        "{bits} does not fit into {width} bits"
                    )));
                }
                writer.bits(*bits, (*width).into());
            }
        }
        Ok(())
    }
}

json_by_serde!(LoadoutOnline);
