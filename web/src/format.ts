// Numbers, times and names as people write them.

/** Hours where there are any, minutes, seconds and hundredths. */
export function clock(time_s: number): string {
  const sign = time_s < 0 ? "-" : "";
  const all = Math.abs(time_s);
  const minutes = Math.floor(all / 60);
  const seconds = Math.floor((all - minutes * 60) * 100) / 100;
  const hours = Math.floor(minutes / 60);
  const rest = hours > 0 ? `${hours}:${String(minutes % 60).padStart(2, "0")}` : String(minutes);
  return `${sign}${rest}:${seconds.toFixed(2).padStart(5, "0")}`;
}

/** Minutes and seconds, as a game's own clock shows them. */
export function minutes(time_s: number): string {
  return clock(time_s).replace(/\.\d+$/, "");
}

/** A number with as many digits as matter; a dash for none. */
export function short(value: number | null | undefined): string {
  // What is no number has no form in JSON.
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (Number.isInteger(value)) return value.toLocaleString("en");
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}

const UNITS: [string, string][] = [
  ["_m_s", "m/s"],
  ["_uu_s", "uu/s"],
  ["_per_minute", "per minute"],
  ["_percent", "%"],
  ["_mwh", "MWh"],
  ["_mw", "MW"],
  ["_s", "s"],
  ["_m", "m"],
  ["_uu", "uu"],
  ["_rad", "rad"],
  ["_frames", "frames"],
];

/** `head_distance_m` as `Head distance (m)`. */
export function words(name: string): string {
  const unit = UNITS.find(([suffix]) => name.endsWith(suffix));
  const stem = apart(unit ? name.slice(0, -unit[0].length) : name)
    .replaceAll("_", " ")
    .replaceAll("-", " ");
  return capital(stem) + (unit ? ` (${unit[1]})` : "");
}

/** `AlienDNACapsule` as `Alien DNA Capsule`. */
export function apart(name: string): string {
  return name.replace(/([a-z0-9])(?=[A-Z])/g, "$1 ").replace(/([A-Z])(?=[A-Z][a-z])/g, "$1 ");
}

/** With a capital letter in front. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** One of many, with the right word. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** A recorded date, which has the place's own time, on one line: `10 Mar 2026`. */
export function day(date: string | undefined): string {
  const match = /^(\d{4})-(\d\d)-(\d\d)/.exec(date ?? "");
  if (!match) return date ?? "";
  return `${Number(match[3])} ${MONTHS[Number(match[2]) - 1] ?? "?"} ${match[1]}`;
}

/** Hours and minutes of a recorded date. */
export function hour(date: string | undefined): string {
  return (
    /T(\d\d:\d\d)/.exec(date ?? "")?.[1] ??
    /[ T_](\d\d)-(\d\d)(-\d\d)?$/
      .exec(date ?? "")
      ?.slice(1, 3)
      .join(":") ??
    ""
  );
}

/** A name that file systems accept. */
export function fileName(text: string): string {
  return (
    text
      .normalize("NFC")
      .replace(/[^\p{L}\p{N}()_ -]+/gu, "-")
      .replace(/\s+/g, " ")
      .replace(/^[-. ]+|[-. ]+$/g, "")
      .slice(0, 120) || "recording"
  );
}
