// What maps are called. A name the library already gives is kept; of a raw one its form is made readable.

/** Rocket League's arenas by the beginning of their file's name, as the game calls them. Source: data/rocket_league and the game's menus. */
const ARENAS: [RegExp, string][] = [
  [/^stadium/i, "DFH Stadium"],
  [/^eurostadium/i, "Mannfield"],
  [/^park/i, "Beckwith Park"],
  [/^trainstation/i, "Urban Central"],
  [/^utopiastadium/i, "Utopia Coliseum"],
  [/^cs_day|^cs_/i, "Champions Field"],
  [/^neotokyo/i, "Neo Tokyo"],
  [/^beach/i, "Salty Shores"],
  [/^farm/i, "Farmstead"],
  [/^chn_stadium/i, "Forbidden Temple"],
  [/^music/i, "Neon Fields"],
  [/^underwater/i, "AquaDome"],
  [/^wasteland/i, "Wasteland"],
  [/^arc_/i, "Starbase ARC"],
  [/^arc/i, "ARCtagon"],
  [/^hoopsstadium/i, "Dunk House"],
  [/^hoopsstreet/i, "The Block"],
  [/^shattershot/i, "Core 707"],
  [/^throwback/i, "Throwback Stadium"],
  [/^street/i, "Sovereign Heights"],
  [/^outlaw/i, "Deadeye Canyon"],
  [/^uf_/i, "Futura Garden"],
  [/^ff_dusk/i, "Estadio Vida"],
];
const MELEE_EMPTY = "";

export function mapName(format: string, map: string): string {
  if (map === "") return MELEE_EMPTY;
  switch (format) {
    case "rocket-league":
      // A name for people has a space or small letters only; a raw one has underscores.
      return map.includes("_")
        ? (ARENAS.find(([pattern]) => pattern.test(map))?.[1] ?? map.replace(/_P$/i, "").replaceAll("_", " "))
        : map;
    case "satisfactory":
      return map === "Persistent_Level" ? "" : map;
    case "rumble":
      return { Map0: "Ring", Map1: "Pit", Gym: "Gym" }[map] ?? map;
    default:
      return map;
  }
}
