//! Vehicles, trains and drones.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use crate::satisfactory::analysis::classes::{Class, object_name};
use crate::satisfactory::codec::model::{Object, Properties, Tail};

/// A train.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Train {
    /// Its name; that of its object where nobody gave it one.
    pub name: String,
    /// How many locomotives and wagons it has.
    pub cars: usize,
    /// How many stops its timetable has.
    pub stops: usize,
    /// Whether it drives by its timetable.
    pub drives_itself: bool,
}

/// All that moves things and people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transport {
    /// Vehicles, locomotives, wagons and drones, by the path of their class.
    pub by_class: BTreeMap<String, usize>,
    /// Vehicles that drive along a recorded way.
    pub on_autopilot: usize,
    /// Drones that stand on a port.
    pub drones_docked: usize,
    /// Trains, in the file's order.
    pub trains: Vec<Train>,
    /// Stations that trains can stop at, by name.
    pub stations: Vec<String>,
}

#[derive(Debug)]
struct UnnumberedTrain {
    name: String,
    first_car: Option<String>,
    timetable: Option<String>,
    drives_itself: bool,
}

/// What the file says of transport, collected object by object.
#[derive(Debug, Default)]
pub(super) struct Fleet {
    transport: Transport,
    trains: Vec<UnnumberedTrain>,
    couplings: HashMap<String, [String; 2]>,
    stops: HashMap<String, usize>,
}

impl Fleet {
    pub fn add_vehicle(&mut self, class: &Class, object: &Object, properties: &Properties) {
        let transport = &mut self.transport;
        *transport.by_class.entry(class.path.clone()).or_default() += 1;
        transport.on_autopilot += usize::from(properties.flag("mIsAutopilotEnabled"));
        if class.kind == "drone" {
            let is_docked = properties.reference("mDockedStation").is_some();
            transport.drones_docked += usize::from(is_docked);
        }
        if let Some(Tail::Train(train)) = object.tail() {
            let ends = [&train.coupled_front, &train.coupled_back];
            let path = object.header.reference.path.to_string();
            self.couplings
                .insert(path, ends.map(|end| end.path.to_string()));
        }
    }

    pub fn add_train(&mut self, object: &Object, properties: &Properties) {
        let path = |name| Some(properties.reference(name)?.path.to_string());
        let name = properties.words("mTrainName").map(|name| name.into_owned());
        self.trains.push(UnnumberedTrain {
            name: name.unwrap_or_else(|| object_name(&object.header.reference)),
            first_car: path("FirstVehicle"),
            timetable: path("TimeTable"),
            drives_itself: properties.flag("mIsSelfDrivingEnabled"),
        });
    }

    pub fn add_station(&mut self, object: &Object, properties: &Properties) {
        let name = properties
            .words("mStationName")
            .map(|name| name.into_owned());
        let name = name.unwrap_or_else(|| object_name(&object.header.reference));
        self.transport.stations.push(name);
    }

    pub fn add_timetable(&mut self, object: &Object, properties: &Properties) {
        let path = object.header.reference.path.to_string();
        self.stops.insert(path, properties.list("mStops").len());
    }

    /// How many cars are coupled to one another, this one at an end.
    fn cars(&self, first: &str) -> usize {
        let (mut here, mut before, mut count) = (first, "", 0);
        // No longer than all couplings: a damaged file may couple in a ring.
        while let Some(ends) = self.couplings.get(here)
            && count < self.couplings.len()
        {
            count += 1;
            let next = ends.iter().find(|end| !end.is_empty() && *end != before);
            match next {
                Some(next) => (before, here) = (here, next),
                None => break,
            }
        }
        count
    }

    pub fn finish(mut self) -> Transport {
        let trains = self.trains.iter().map(|train| Train {
            name: train.name.clone(),
            cars: train.first_car.as_ref().map_or(0, |car| self.cars(car)),
            stops: train
                .timetable
                .as_ref()
                .and_then(|path| self.stops.get(path))
                .copied()
                .unwrap_or(0),
            drives_itself: train.drives_itself,
        });
        self.transport.trains = trains.collect();
        self.transport.stations.sort();
        self.transport
    }
}
