// What can be taken along: pictures, clips, tables, the animation, a link.

import { useSignal } from "@preact/signals";
import { canRecord, recordClip } from "../export/clip";
import { picture } from "../export/picture";
import { nameOf, saveBlob, saveText } from "../export/save";
import { csv, eventsTable, statsTable } from "../export/tables";
import type { Viewer } from "../viewer/session";

/** Lengths of clips, in seconds, and widths, in pixels. */
const LENGTHS_S = [3, 5, 10, 20];
const WIDTHS_PX: [number, string][] = [
  [1280, "1280 wide"],
  [480, "480 wide, a loop for chats"],
];

export function ExportPanel({ viewer }: { viewer: Viewer }) {
  const state = useSignal("");
  const { recording, player } = viewer;
  const { outline, source, id } = recording;
  const run = (work: () => Promise<void>) => () => {
    state.value = "Making it …";
    work().then(
      () => {
        state.value = "Saved.";
      },
      (error: unknown) => {
        state.value = error instanceof Error ? error.message : String(error);
      },
    );
  };
  const save = (what: string, ending: string, make: () => Promise<Blob | null>, hasMoment = false) =>
    run(async () => {
      const blob = await make();
      if (blob) saveBlob(nameOf(viewer, what, ending, hasMoment), blob);
    });
  const text = (what: string, ending: "csv" | "json", make: () => string) =>
    run(async () => saveText(viewer, what, ending, make()));
  const copy = async () => {
    await navigator.clipboard.writeText(new URL(viewer.link(), location.href).href);
    state.value = "The link is copied.";
  };
  return (
    <div class="panel exports">
      <Item
        label="Picture"
        what="the scene with score and names, as PNG"
        onClick={save("", "png", () => picture(viewer), true)}
      />
      {!recording.isMoment && canRecord() && <Film viewer={viewer} run={run} state={state} />}
      <Animation viewer={viewer} save={save} />
      {recording.events.length > 0 && (
        <Item
          label="Events"
          what="all of them, as CSV"
          onClick={text("events", "csv", () => csv(eventsTable(recording)))}
        >
          <button type="button" onClick={text("events", "json", () => JSON.stringify(recording.events, null, 1))}>
            Events as JSON
          </button>
        </Item>
      )}
      {outline.stats && (
        <Item
          label="Statistics"
          what="all of them, as CSV"
          onClick={text("statistics", "csv", () => csv(statsTable(outline.stats ?? { recording: {}, players: [] })))}
        >
          <button type="button" onClick={text("statistics", "json", () => JSON.stringify(outline.stats, null, 1))}>
            Statistics as JSON
          </button>
        </Item>
      )}
      <Item
        label="This moment"
        what="every value at the playhead, as JSON"
        onClick={save("moment", "json", () => source.moment(id, player.time_s), true)}
      />
      <Item label="Link" what="to this moment and this camera, copied" onClick={() => void copy()} />
      <p class="note" role="status">
        {state.value}
      </p>
    </div>
  );
}

function Item(props: { label: string; what: string; onClick: () => void; children?: preact.ComponentChildren }) {
  return (
    <div class="item">
      <button type="button" onClick={props.onClick}>
        {props.label}
      </button>
      <span class="note">{props.what}</span>
      {props.children}
    </div>
  );
}

type Save = (what: string, ending: string, make: () => Promise<Blob | null>, hasMoment?: boolean) => () => void;

/** The whole, or some seconds from the playhead on. */
function Animation({ viewer: { recording, player }, save }: { viewer: Viewer; save: Save }) {
  const length_s = useSignal(0);
  const make = () => {
    const part =
      length_s.value > 0
        ? { from_s: player.time_s, to_s: Math.min(recording.end_s, player.time_s + length_s.value) }
        : undefined;
    save("", "glb", () => recording.source.glb(recording.id, part), part !== undefined)();
  };
  return (
    <Item label="Animation" what="for Blender and other 3D tools, as glTF" onClick={make}>
      {!recording.isMoment && (
        <select
          aria-label="Length of the animation"
          value={length_s.value}
          onChange={(event) => {
            length_s.value = Number(event.currentTarget.value);
          }}
        >
          <option value={0}>The whole recording</option>
          {LENGTHS_S.map((seconds) => (
            <option key={seconds} value={seconds}>{`${seconds} s from here`}</option>
          ))}
        </select>
      )}
    </Item>
  );
}

function Film({
  viewer,
  run,
  state,
}: {
  viewer: Viewer;
  run: (work: () => Promise<void>) => () => void;
  state: { value: string };
}) {
  const length_s = useSignal(5);
  const width = useSignal(1280);
  const film = async () => {
    const from_s = viewer.player.time_s;
    const wish = { from_s, to_s: from_s + length_s.peek(), width: width.peek() };
    const blob = await recordClip(viewer, wish, (part) => {
      state.value = `Recording: ${Math.round(part * 100)} %`;
    });
    saveBlob(nameOf(viewer, "clip", "webm", true), blob);
  };
  return (
    <div class="item film">
      <button type="button" onClick={run(film)}>
        Clip
      </button>
      <span class="note">from here on, as WebM</span>
      <select
        aria-label="Length of the clip"
        value={length_s.value}
        onChange={(event) => {
          length_s.value = Number(event.currentTarget.value);
        }}
      >
        {LENGTHS_S.map((seconds) => (
          <option key={seconds} value={seconds}>{`${seconds} s`}</option>
        ))}
      </select>
      <select
        aria-label="Width of the clip"
        value={width.value}
        onChange={(event) => {
          width.value = Number(event.currentTarget.value);
        }}
      >
        {WIDTHS_PX.map(([pixels, label]) => (
          <option key={pixels} value={pixels}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}
