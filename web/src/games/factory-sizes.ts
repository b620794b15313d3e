// How large buildings are, in metres (width, height, depth), by their class; clearances as the community's wiki lists
// them, rounded. What is not known is a small box: shown, but not as something it is not.

const SIZES: [RegExp, [number, number, number]][] = [
  [/Constructor/, [8, 8, 10]], [/Smelter/, [6, 9, 9]], [/Foundry/, [10, 9, 9]], [/Assembler/, [10, 11, 15]], [/Manufacturer/, [18, 12, 20]],
  [/Refinery/, [10, 31, 20]], [/OilRefinery/, [10, 31, 20]], [/Blender/, [18, 15, 16]], [/Packager/, [8, 12, 8]], [/HadronCollider/, [24, 32, 38]],
  [/Miner/, [6, 18, 14]], [/OilPump/, [8, 20, 14]], [/WaterPump/, [20, 26, 19.5]], [/Generator(Coal)/, [10, 36, 26]], [/GeneratorFuel/, [20, 27, 20]],
  [/GeneratorNuclear/, [36, 49, 43]], [/GeneratorBiomass/, [8, 8, 8]], [/GeneratorGeoThermal/, [20, 34, 19]], [/SpaceElevator/, [54, 118, 57]],
  [/TradingPost|Hub/, [14, 27, 26]], [/ResourceSink/, [16, 24, 16]], [/StorageContainerMk1/, [5, 4, 10]], [/StorageContainerMk2/, [5, 8, 10]],
  [/PipeStorageTank|FluidBuffer/, [6, 8, 6]], [/IndustrialTank/, [14, 12, 14]], [/TrainStation/, [16, 20, 34]], [/TrainDocking/, [16, 20, 34]],
  [/TruckStation/, [11, 8, 20]], [/DroneStation/, [24, 11, 24]], [/RadarTower/, [10, 118, 10]], [/PowerStorage/, [6, 12, 6]],
  [/ConveyorAttachment|Splitter|Merger/, [4, 2, 4]], [/PowerPole|PowerLine/, [0.6, 7, 0.6]], [/PowerTower/, [4, 30, 4]], [/PipelinePump/, [2, 2, 2]],
  [/PipelineJunction/, [2, 2, 2]], [/PipelineSupport|ConveyorPole/, [0.6, 2, 0.6]], [/ConveyorLift/, [2, 6, 2]], [/ConveyorBelt/, [2, 0.5, 2]],
  [/Pipeline/, [1.5, 1.5, 1.5]], [/RailroadTrack/, [4, 0.5, 4]], [/Workshop|WorkBench/, [6, 5, 4]], [/Mam/, [5, 5, 9]], [/SpaceShip|DropPod/, [10, 8, 12]],
];

const KINDS: Record<string, [number, number, number]> = {
  building: [2, 2, 2], vehicle: [4, 3, 6], train: [4, 5, 15], drone: [4, 2, 4], player: [1, 2, 1], creature: [2, 2, 2], resource: [8, 0.6, 8], collectable: [1.5, 1.5, 1.5],
};

/** The size of a class of a kind. */
export function sizeOf(name: string, kind: string): [number, number, number] {
  const flat = /(?:Foundation|Ramp|QuarterPipe|Floor).*?(\d)x(\d)/.exec(name.replaceAll("_", " "));
  if (flat) return [8, Number(flat[2]), 8];
  if (/Foundation|Floor|Roof/.test(name)) return [8, 1, 8];
  if (/Walkway|Catwalk/.test(name)) return [4, 0.3, 4];
  if (/Wall|Window|Door|Gate/.test(name)) return [8, 4, 0.4];
  if (/Beam/.test(name)) return [1, 1, 4];
  if (/Pillar/.test(name)) return [2, 4, 2];
  return SIZES.find(([pattern]) => pattern.test(name))?.[1] ?? KINDS[kind] ?? [1, 1, 1];
}

/** What people would group a class with. */
export function categoryOf(name: string, kind: string): string {
  if (kind !== "building") return kind;
  const found: [RegExp, string][] = [
    [/Foundation|Wall|Ramp|Roof|Floor|Pillar|Beam|Walkway|Catwalk|Stair|Fence|Window|Door|Gate|Railing|QuarterPipe/, "architecture"],
    [/Conveyor|Splitter|Merger/, "belts"], [/Pipe|Valve/, "pipes"], [/Power|Generator|Switch/, "power"], [/Miner|OilPump|WaterPump|Fracking|Extractor/, "extraction"],
    [/Storage|Container|Tank|CentralStorage/, "storage"], [/Train|Rail|Truck|Drone|Station|HyperTube|HyperPart/, "transport"],
    [/Constructor|Smelter|Foundry|Assembler|Manufacturer|Refinery|Blender|Packager|Hadron|Converter|Encoder/, "production"],
  ];
  return found.find(([pattern]) => pattern.test(name))?.[1] ?? "other buildings";
}

/** `Build_ConstructorMk1_C_2147` and `Foundation 8x4 01 #3` without what tells one of them from the next. */
export function classOf(name: string): string {
  return name.replace(/_C_\d+$|_\d+$| #\d+$/, "").replace(/^Build_/, "").replace(/_C$/, "").replaceAll("_", " ");
}
