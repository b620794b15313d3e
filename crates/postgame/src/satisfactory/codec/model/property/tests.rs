//! Every kind of property, written and read in each layout.

use super::super::basic::{Reals, Ref};
use super::super::structs::Struct;
use super::super::text::Text;
use super::super::value::{InnerTag, List, Map};
use super::*;
use crate::satisfactory::codec::decode::scope::Versions;

fn ty(name: &str, parts: Vec<Type>) -> Type {
    Type::new(name.into(), parts)
}

fn plain(name: &str) -> Type {
    ty(name, Vec::new())
}

/// One property of every kind, in the layout of these versions.
fn all(versions: Versions) -> Properties {
    let is_new = versions.has_type_trees();
    let vector = if versions.has_doubles() {
        Reals::F64([1.0, -2.0, f64::NAN])
    } else {
        Reals::F32([1.0, -2.0, 3.0])
    };
    let vector = Value::Struct(Struct::Real3(vector));
    let vector_type = ty("StructProperty", vec![plain("Vector")]);
    let nested = Properties(vec![Property::new(
        "Inner",
        plain("IntProperty"),
        Value::Int(7),
    )]);
    let nested = Value::Struct(Struct::Properties(nested));
    let nested_type = ty("StructProperty", vec![plain("SomeStruct")]);
    let element = |element: &Type| {
        if is_new {
            element.clone()
        } else {
            plain("StructProperty")
        }
    };
    let tag = (!is_new).then(|| {
        Arc::new(InnerTag {
            name: "list".into(),
            ty: nested_type.clone(),
            index: 0,
            struct_id: Some(Id16([9; 16])),
            id: None,
            stated_size: None,
        })
    });
    let list = |items| {
        Value::List(Box::new(List {
            tag: None,
            removed: Vec::new(),
            items,
        }))
    };
    let mut properties = vec![
        Property::new("bool", plain("BoolProperty"), Value::Bool(1)),
        Property::new(
            "byte",
            if is_new {
                plain("ByteProperty")
            } else {
                ty("ByteProperty", vec![plain("None")])
            },
            Value::Byte(200),
        ),
        Property::new(
            "named",
            ty("ByteProperty", vec![plain("EColor")]),
            Value::Str("Red".into()),
        ),
        Property::new(
            "enum",
            ty("EnumProperty", vec![plain("EColor")]),
            Value::Str("EColor::Red".into()),
        ),
        Property::new("int8", plain("Int8Property"), Value::Int8(-1)),
        Property::new("u32", plain("UInt32Property"), Value::UInt32(u32::MAX)),
        Property::new("i64", plain("Int64Property"), Value::Int64(i64::MIN)),
        Property::new("u64", plain("UInt64Property"), Value::UInt64(u64::MAX)),
        Property::new(
            "float",
            plain("FloatProperty"),
            Value::Float(f32::NEG_INFINITY),
        ),
        Property::new("double", plain("DoubleProperty"), Value::Double(0.1)),
        Property::new(
            "text",
            plain("TextProperty"),
            Value::Text(Box::new(Text::from("Grüße"))),
        ),
        Property::new(
            "object",
            plain("ObjectProperty"),
            Value::Object(Ref::new("L", "p")),
        ),
        Property::new(
            "soft",
            plain("SoftObjectProperty"),
            Value::SoftObject(Box::default()),
        ),
        Property::new("vector", vector_type.clone(), vector.clone()),
        Property::new("nested", nested_type.clone(), nested.clone()),
        Property::new(
            "bytes",
            ty("ArrayProperty", vec![plain("ByteProperty")]),
            Value::Bytes([1, 2][..].into()),
        ),
        Property::new(
            "ints",
            ty("ArrayProperty", vec![plain("IntProperty")]),
            list(vec![Value::Int(1), Value::Int(2)]),
        ),
        Property::new(
            "names",
            ty("SetProperty", vec![plain("NameProperty")]),
            list(vec![Value::Str("a".into())]),
        ),
        Property::new(
            "list",
            ty("ArrayProperty", vec![element(&nested_type)]),
            Value::List(Box::new(List {
                tag,
                removed: Vec::new(),
                items: vec![nested.clone(), nested.clone()],
            })),
        ),
        Property::new(
            "map",
            ty(
                "MapProperty",
                vec![plain("IntProperty"), element(&nested_type)],
            ),
            Value::Map(Box::new(Map {
                removed: vec![Value::Int(3)],
                pairs: vec![(Value::Int(1), nested)],
            })),
        ),
        Property::new(
            "mod",
            plain("SomeModProperty"),
            Value::Raw(Box::new(Bytes(vec![1, 2, 3]))),
        ),
    ];
    if is_new {
        // Only the tag states that this is not a list of properties.
        let mut native = Property::new(
            "native",
            ty("StructProperty", vec![plain("NobodyKnows")]),
            Value::Struct(Struct::Raw(Bytes(vec![5; 9]))),
        );
        native.flags = flag::NATIVE;
        properties.push(native);
    }
    for property in &mut properties {
        if property.name().is("vector") && is_new {
            property.flags = flag::NATIVE;
        }
    }
    let mut indexed = Property::new("int", plain("IntProperty"), Value::Int(-5));
    indexed.index = 3;
    if is_new {
        indexed.flags = flag::INDEX;
    }
    properties.push(indexed);
    Properties(properties)
}

const ERAS: [Versions; 3] = [
    Versions {
        save: 25,
        unreal: 1000,
    },
    Versions {
        save: 52,
        unreal: 1000,
    },
    Versions {
        save: 58,
        unreal: 1017,
    },
];

fn there_and_back(properties: &Properties, versions: Versions) -> Properties {
    let scope = Scope::new(versions);
    let mut writer = ByteWriter::new();
    properties.write(&mut writer, &scope).unwrap();
    let data = writer.into_bytes();
    let mut reader = ByteReader::new(&data);
    let read = Properties::read(&mut reader, &scope, &"Owner".into(), Spot::UNKNOWN).unwrap();
    assert!(reader.is_empty());
    let mut writer = ByteWriter::new();
    read.write(&mut writer, &scope).unwrap();
    assert_eq!(writer.as_bytes(), data, "{versions:?}");
    read
}

#[test]
fn every_kind_of_property_comes_back_in_both_forms_of_tag() {
    for versions in ERAS {
        let properties = all(versions);
        let read = there_and_back(&properties, versions);
        for (one, other) in read.0.iter().zip(&properties.0) {
            // A NaN is not equal to itself, but its bytes are.
            assert_eq!(format!("{one:?}"), format!("{other:?}"), "{versions:?}");
        }
        assert_eq!(read.0.len(), properties.0.len());
        let json = serde_json::to_string(&properties).unwrap();
        let back: Properties = serde_json::from_str(&json).unwrap();
        there_and_back(&back, versions);
        assert_eq!(format!("{back:?}"), format!("{properties:?}"));
    }
}

/// A migrated save has levels of both layouts, and objects of one class in both.
#[test]
fn a_tag_of_one_form_is_not_taken_for_one_of_the_other() {
    let scope = Scope::default();
    let (owner, class) = scope.class(Str::from("Owner").encoded());
    for versions in [ERAS, ERAS].as_flattened() {
        scope.enter(*versions);
        let properties = all(*versions);
        let mut writer = ByteWriter::new();
        properties.write(&mut writer, &scope).unwrap();
        let mut reader = ByteReader::new(writer.as_bytes());
        let read = Properties::read(&mut reader, &scope, &owner, class.first).unwrap();
        assert!(reader.is_empty());
        assert_eq!(format!("{read:?}"), format!("{properties:?}"));
    }
}

#[test]
fn a_structure_nobody_knows_spoils_nothing() {
    // A structure of the old layout whose contents are not properties, and bytes after it.
    let unknown = Value::Raw(Box::new(Bytes(vec![0xee; 13])));
    let properties = Properties(vec![
        Property::new(
            "mod",
            ty("StructProperty", vec![plain("ModStruct")]),
            unknown,
        ),
        Property::new("after", plain("IntProperty"), Value::Int(1)),
    ]);
    for versions in ERAS {
        assert_eq!(
            there_and_back(&properties, versions),
            properties,
            "{versions:?}"
        );
    }
}

#[test]
fn what_follows_a_value_within_its_size_is_kept() {
    let mut item = Property::new("count", plain("IntProperty"), Value::Int(1));
    item.extra = Some(Box::new(Extra {
        tail: Bytes(vec![0; 4]),
        ..Extra::default()
    }));
    let properties = Properties(vec![item]);
    for versions in ERAS {
        assert_eq!(there_and_back(&properties, versions), properties);
    }
}

#[test]
fn nesting_has_an_end() {
    // Nested structures: each level is just another tag.
    let scope = Scope::new(ERAS[1]);
    let mut value = Properties::default();
    for _ in 0..300 {
        value = Properties(vec![Property::new(
            "s",
            ty("StructProperty", vec![plain("S")]),
            Value::Struct(Struct::Properties(value)),
        )]);
    }
    let mut writer = ByteWriter::new();
    value.write(&mut writer, &scope).unwrap();
    let data = writer.into_bytes();
    let read = Properties::read(
        &mut ByteReader::new(&data),
        &scope,
        &"Owner".into(),
        Spot::UNKNOWN,
    )
    .unwrap();
    let mut again = ByteWriter::new();
    read.write(&mut again, &scope).unwrap();
    assert_eq!(again.as_bytes(), data, "what is too deep is kept raw");
}
