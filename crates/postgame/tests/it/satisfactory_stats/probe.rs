//! The probe passes on every real save and blueprint, and fails where scales or axes are wrong.

use postgame::probe::{Probe, Verdict};
use postgame::satisfactory::model::basic::Reals;
use postgame::satisfactory::model::level::Entry;
use postgame::satisfactory::model::object::ObjectKind;
use postgame::satisfactory::model::{Object, Properties, Struct, Value};
use postgame::satisfactory::{Save, probe};
use postgame::{ReadOptions, Recording};

use super::{real, sample};
use crate::satisfactory::files;

fn failed(probes: &[Probe]) -> Vec<&str> {
    let failed = probes.iter().filter(|probe| probe.verdict == Verdict::Fail);
    failed.map(|probe| probe.name.as_str()).collect()
}

#[test]
fn every_save_and_blueprint_passes() {
    for path in files("sav").into_iter().chain(files("sbp")) {
        let bytes = std::fs::read(&path).unwrap();
        let (recording, _) = postgame::read(&bytes, &ReadOptions::default()).unwrap();
        let probes = match &recording {
            Recording::Satisfactory(save) => probe(save),
            Recording::SatisfactoryBlueprint(blueprint) => {
                postgame::satisfactory::probe_of_blueprint(blueprint)
            }
            other => panic!("{:?}", other.format()),
        };
        for probe in &probes {
            println!(
                "{} {:?} {} {} of {}",
                path.display(),
                probe.verdict,
                probe.name,
                probe.measured,
                probe.samples
            );
        }
        assert_eq!(failed(&probes), [""; 0], "{}", path.display());
    }
}

/// The save with every object changed.
fn changed(save: &Save, change: impl Fn(&mut Object)) -> Save {
    let mut save = save.clone();
    let body = save.body.as_mut().unwrap();
    body.decode_all().unwrap();
    for level in body.levels.iter_mut().chain(&mut body.persistent) {
        for entry in &mut level.objects {
            if let Entry::Loaded(object) = entry {
                change(object);
            }
        }
    }
    save
}

fn scale_positions(object: &mut Object, factor: f32) {
    if let ObjectKind::Actor(placement) = &mut object.header.kind {
        placement.position_cm = placement.position_cm.map(|part| part * factor);
    }
}

fn scale_curves(object: &mut Object, factor: f64) {
    let fields = object.data.as_mut().and_then(|data| data.fields_mut());
    let properties = fields.and_then(|fields| fields.properties.as_mut());
    let curve = properties.and_then(|properties| properties.find_mut("mSplineData"));
    if let Some(Value::List(points)) = curve.map(|curve| &mut curve.value) {
        for point in &mut points.items {
            if let Value::Struct(point) = point
                && let Struct::Properties(Properties(vectors)) = point
            {
                for vector in vectors {
                    if let Value::Struct(value) = &mut vector.value
                        && let Struct::Real3(reals) = value
                    {
                        *reals = Reals::F64(reals.to_f64().map(|part| part * factor));
                    }
                }
            }
        }
    }
}

#[test]
fn wrong_scales_and_axes_fail() {
    let Some(save) = real("Release-032.sav") else {
        return;
    };
    assert_eq!(failed(&probe(&save)), [""; 0]);
    let outside = "actors outside of the world, share";
    let span = "part of the map that resource nodes span";
    let belts = "belts as long as their chain says, share";
    let upright = "buildings that stand upright, share";
    let norm = "lengths of rotations, largest difference from 1";
    let fails = |name: &str, change: &dyn Fn(&mut Object)| {
        let probes = probe(&changed(&save, change));
        assert!(failed(&probes).contains(&name), "{name}: {probes:#?}");
    };
    fails(outside, &|object| scale_positions(object, 10.0));
    fails(span, &|object| scale_positions(object, 0.1));
    fails(belts, &|object| scale_curves(object, 1.1));
    fails(belts, &|object| scale_curves(object, 0.01));
    fails(outside, &|object| {
        if let ObjectKind::Actor(placement) = &mut object.header.kind {
            placement.position_cm.rotate_left(1);
        }
    });
    fails(upright, &|object| {
        if let ObjectKind::Actor(placement) = &mut object.header.kind {
            placement.rotation.rotate_left(1);
        }
    });
    fails(norm, &|object| {
        if let ObjectKind::Actor(placement) = &mut object.header.kind {
            placement.rotation[3] += 0.1;
        }
    });
}

#[test]
fn what_is_no_number_fails() {
    let save = changed(&sample(), |object| scale_curves(object, f64::NAN));
    let probes = probe(&save);
    let name = "largest coordinate or tangent of a curve, cm";
    assert!(failed(&probes).contains(&name), "{probes:#?}");
}
