//! Building blocks of a sample save.

use postgame::satisfactory::model::basic::Reals;
use postgame::satisfactory::model::items::{DynamicStruct, Item};
use postgame::satisfactory::model::object::{Contents, Fields, ObjectKind, Placement};
use postgame::satisfactory::model::tail::LightweightInstance;
use postgame::satisfactory::model::value::{InnerTag, List};
use postgame::satisfactory::model::{
    Object, ObjectData, ObjectHeader, Properties, Property, Ref, Struct, Tail, Type, Value,
};

/// Game version 1.1.
pub const SAVE_VERSION: i32 = 52;
pub const BUILD: i32 = 433_351;
pub const IRON_PLATE: &str =
    "/Game/FactoryGame/Resource/Parts/IronPlate/Desc_IronPlate.Desc_IronPlate_C";
pub const IRON_INGOT: &str =
    "/Game/FactoryGame/Resource/Parts/IronIngot/Desc_IronIngot.Desc_IronIngot_C";
pub const CONCRETE: &str = "/Game/FactoryGame/Resource/Parts/Cement/Desc_Cement.Desc_Cement_C";
pub const FOUNDATION: &str = "/Game/FactoryGame/Buildable/Building/Foundation/Build_Foundation_8x1_01.Build_Foundation_8x1_01_C";
pub const FOUNDATION_RECIPE: &str = "/Game/FactoryGame/Recipes/Buildings/Foundations/Recipe_Foundation_8x1_01.Recipe_Foundation_8x1_01_C";
const SWATCH: &str = "/Game/FactoryGame/Buildable/-Shared/Customization/Swatches/SwatchDesc_FoundationOverride.SwatchDesc_FoundationOverride_C";

/// A factory building's class.
pub fn factory(name: &str) -> String {
    format!("/Game/FactoryGame/Buildable/Factory/{name}/Build_{name}.Build_{name}_C")
}

/// A reference to an actor of the persistent level.
pub fn world(name: &str) -> Ref {
    Ref::new(
        "Persistent_Level",
        &format!("Persistent_Level:PersistentLevel.{name}"),
    )
}

/// A reference to a component of an actor.
pub fn part(actor: &str, name: &str) -> Ref {
    world(&format!("{actor}.{name}"))
}

fn ty(name: &str, parts: &[&str]) -> Type {
    Type::new(
        name.into(),
        parts
            .iter()
            .map(|part| Type::new((*part).into(), Vec::new()))
            .collect(),
    )
}

pub fn int(name: &str, value: i32) -> Property {
    Property::new(name, ty("IntProperty", &[]), Value::Int(value))
}

pub fn float(name: &str, value: f32) -> Property {
    Property::new(name, ty("FloatProperty", &[]), Value::Float(value))
}

pub fn string(name: &str, value: &str) -> Property {
    Property::new(name, ty("StrProperty", &[]), Value::Str(value.into()))
}

pub fn object(name: &str, value: Ref) -> Property {
    Property::new(name, ty("ObjectProperty", &[]), Value::Object(value))
}

pub fn flag(name: &str, value: bool) -> Property {
    Property::new(name, ty("BoolProperty", &[]), Value::Bool(value.into()))
}

/// A list of references.
pub fn references(name: &str, values: &[Ref]) -> Property {
    let list = List {
        items: values.iter().cloned().map(Value::Object).collect(),
        ..List::default()
    };
    Property::new(
        name,
        ty("ArrayProperty", &["ObjectProperty"]),
        Value::List(Box::new(list)),
    )
}

fn structure(name: &str, class: &str, value: Struct) -> Property {
    Property::new(name, ty("StructProperty", &[class]), Value::Struct(value))
}

fn structures(name: &str, class: &str, items: Vec<Properties>) -> Property {
    let items = items
        .into_iter()
        .map(|item| Value::Struct(Struct::Properties(item)))
        .collect();
    let tag = InnerTag {
        name: name.into(),
        ty: ty("StructProperty", &[class]),
        index: 0,
        struct_id: None,
        id: None,
        stated_size: None,
    };
    let list = List {
        tag: Some(tag.into()),
        removed: Vec::new(),
        items,
    };
    Property::new(
        name,
        ty("ArrayProperty", &["StructProperty"]),
        Value::List(Box::new(list)),
    )
}

/// An inventory: items and their amounts.
pub fn stacks(contents: &[(&str, i32)]) -> Vec<Property> {
    let stack = |&(class, amount): &(&str, i32)| {
        let item = Item {
            class: Ref::asset(class),
            state: Some(DynamicStruct::default()),
            state_actor: None,
        };
        Properties(vec![
            structure("Item", "InventoryItem", Struct::Item(Box::new(item))),
            int("NumItems", amount),
        ])
    };
    vec![structures(
        "mInventoryStacks",
        "InventoryStack",
        contents.iter().map(stack).collect(),
    )]
}

/// A curve.
pub fn spline(name: &str, points: &[[f64; 3]], tangent: [f64; 3]) -> Property {
    let vector = |name: &str, value| structure(name, "Vector", Struct::Real3(Reals::F64(value)));
    let point = |location: &[f64; 3]| {
        Properties(vec![
            vector("Location", *location),
            vector("ArriveTangent", tangent),
            vector("LeaveTangent", tangent),
        ])
    };
    structures(name, "SplinePointData", points.iter().map(point).collect())
}

/// A component to create: the end of its class, its name, its properties.
pub type Part<'a> = (&'a str, &'a str, Vec<Property>);

/// An actor and its components.
pub fn actor(
    class: &str,
    name: &str,
    position_cm: [f32; 3],
    yaw_degrees: f32,
    parts: &[Part<'_>],
    properties: Vec<Property>,
    tail: Option<Tail>,
) -> Vec<Object> {
    let half = libm::sincos(f64::from(yaw_degrees).to_radians() / 2.0);
    let placement = Placement {
        needs_transform: true.into(),
        rotation: [0.0, 0.0, half.0 as f32, half.1 as f32],
        position_cm,
        scale: [1.0; 3],
        was_placed_in_level: false.into(),
    };
    let fields = Fields {
        owner: Some(Ref::default()),
        components: Some(
            parts
                .iter()
                .map(|(_, part_name, _)| part(name, part_name))
                .collect(),
        ),
        ..fields(properties, tail)
    };
    let mut objects = vec![object_of(
        class,
        world(name),
        ObjectKind::Actor(placement),
        fields,
    )];
    for (class, part_name, properties) in parts {
        let kind = ObjectKind::Component {
            outer: world(name).path,
        };
        // A circuit is not a component: it lacks the end of a component's data.
        let tail = (*class != "PowerCircuit").then_some(Tail::Component(0));
        let fields = self::fields(properties.clone(), tail);
        objects.push(object_of(
            &format!("/Script/FactoryGame.FG{class}"),
            part(name, part_name),
            kind,
            fields,
        ));
    }
    objects
}

fn fields(properties: Vec<Property>, tail: Option<Tail>) -> Fields {
    Fields {
        properties: Some(Properties(properties)),
        has_id: Some(false.into()),
        tail,
        ..Fields::default()
    }
}

fn object_of(class: &str, reference: Ref, kind: ObjectKind, fields: Fields) -> Object {
    Object {
        header: ObjectHeader {
            class: class.into(),
            reference,
            flags: Some(8),
            kind,
        },
        data: Some(ObjectData {
            save_version: Some(SAVE_VERSION),
            should_migrate: Some(false.into()),
            contents: Contents::Known(fields),
            versions: None,
        }),
    }
}

/// A foundation without an object of its own.
pub fn foundation(position_cm: [f64; 3]) -> LightweightInstance {
    LightweightInstance {
        rotation: [0.0, 0.0, 0.0, 1.0],
        position_cm,
        scale: [1.0; 3],
        swatch: Ref::asset(SWATCH),
        material: Ref::default(),
        pattern: Ref::default(),
        skin: Ref::default(),
        primary_color: [0.0; 4],
        secondary_color: [0.0; 4],
        paint_finish: Ref::default(),
        pattern_rotation: 0,
        recipe: Ref::asset(FOUNDATION_RECIPE),
        blueprint: Ref::default(),
        type_data: Some(DynamicStruct::default()),
        built_by: None,
    }
}
