// What stands over the scene: score and clock in the middle, those who play on both sides.

import type { Gauge, HudState, PadState } from "../../scene/hud";
import type { Viewer } from "./session";

export function Hud({ viewer, place }: { viewer: Viewer; place: HudState["place"] }) {
  const state = viewer.hud.value;
  if (!state || state.place !== place) return null;
  return (
    <section
      class={`hud ${place} ${state.left.length + state.right.length > 4 ? "many" : ""}`}
      aria-label="State of the game"
    >
      <div class="team left">
        {state.left.map((gauge) => (
          <GaugeView key={gauge.id} gauge={gauge} />
        ))}
      </div>
      <div class="score">
        {state.score && (
          <b class="goals">
            <span>{state.score[0]}</span>
            <span class="between">–</span>
            <span>{state.score[1]}</span>
          </b>
        )}
        {state.clock !== undefined && <span class="clock">{state.clock}</span>}
      </div>
      <div class="team right">
        {state.right.map((gauge) => (
          <GaugeView key={gauge.id} gauge={gauge} />
        ))}
      </div>
      {state.note !== undefined && <p class="note">{state.note}</p>}
    </section>
  );
}

function GaugeView({ gauge }: { gauge: Gauge }) {
  const { name, detail, colour, value, part, stocks, pad } = gauge;
  return (
    <div class="gauge" style={{ "--own": colour }} data-name={name}>
      <span class="name" title={name}>
        {name}
      </span>
      <b class="value">{value}</b>
      {part !== undefined && (
        <span class="length">
          <i style={{ transform: `scaleX(${Math.max(0, Math.min(1, part)).toFixed(3)})` }} />
        </span>
      )}
      {stocks !== undefined && <Stocks count={stocks} />}
      {detail !== undefined && <span class="detail">{detail}</span>}
      {pad && <Pad pad={pad} />}
    </div>
  );
}

/** More than this is written as a number. */
const MAX_STOCKS = 5;

function Stocks({ count }: { count: number }) {
  return (
    <span class="stocks" role="img" aria-label={`${count} stocks`} data-count={count}>
      {count > MAX_STOCKS ? `× ${count}` : Array.from({ length: count }, (_, index) => <i key={index} />)}
    </span>
  );
}

const BUTTONS = ["a", "b", "x", "y", "z", "l", "r"];
/** How far a stick's knob moves, in pixels. */
const REACH_PX = 8;

function Pad({ pad }: { pad: PadState }) {
  const knob = ([x, y]: [number, number]) => ({
    transform: `translate(${(x * REACH_PX).toFixed(1)}px, ${(-y * REACH_PX).toFixed(1)}px)`,
  });
  return (
    <span class="pad" aria-hidden="true">
      <span class="stick">
        <i style={knob(pad.stick)} />
      </span>
      <span class="stick c">
        <i style={knob(pad.cstick)} />
      </span>
      {BUTTONS.map((button) => (
        <span key={button} class={pad.pressed.has(button) ? "key pressed" : "key"}>
          {button.toUpperCase()}
        </span>
      ))}
      <span class="trigger">
        <i style={{ transform: `scaleY(${Math.min(1, pad.trigger).toFixed(2)})` }} />
      </span>
    </span>
  );
}
