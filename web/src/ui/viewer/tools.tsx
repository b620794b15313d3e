// Over the scene: which camera, and what this game lets one choose.

import { IconButton } from "../../icons";
import type { Tool } from "../../scene/game";
import type { Viewer } from "./session";

export function Tools({ viewer }: { viewer: Viewer }) {
  const { cameras, tools } = viewer.game;
  // The keys belong to the player again once something is chosen.
  const leave = (element: HTMLElement) => {
    element.blur();
    viewer.stage.canvas.focus({ preventScroll: true });
  };
  return (
    <>
      {tools.map((tool) => (
        <ToolView key={tool.label} tool={tool} leave={leave} />
      ))}
      {cameras.length > 1 && (
        <select
          aria-label="Camera"
          value={viewer.camera.value}
          onChange={(event) => {
            viewer.setCamera(event.currentTarget.value);
            leave(event.currentTarget);
          }}
        >
          {cameras.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
      )}
      <IconButton icon="home" label="Camera home" onClick={() => viewer.goHome()} />
    </>
  );
}

function ToolView({ tool, leave }: { tool: Tool; leave: (element: HTMLElement) => void }) {
  if (!("options" in tool)) {
    return (
      <label class="check">
        <input
          type="checkbox"
          checked={tool.value.value}
          onChange={(event) => {
            tool.value.value = event.currentTarget.checked;
            leave(event.currentTarget);
          }}
        />
        {tool.label}
      </label>
    );
  }
  return (
    <select
      aria-label={tool.label}
      value={tool.value.value}
      onChange={(event) => {
        tool.value.value = event.currentTarget.value;
        leave(event.currentTarget);
      }}
    >
      {tool.options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}
