// The page of one recording: rail, scene, controls, panels.

import { signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { IconButton } from "../../icons";
import type { Library } from "../list/library";
import { panelsOf } from "../panels";
import { Controls } from "./controls";
import { Hud } from "./hud";
import { shortcuts } from "./keys";
import { hasRail, Rail, Saves } from "./rail";
import type { Viewer } from "./session";
import { Tabs } from "./tabs";
import { Tools } from "./tools";

/** Screens at least this wide have room for the rail from the beginning. */
const WIDE_PX = 1360;

/** What is open beside the scene; kept from one recording to the next. */
export const sideIsShown = signal(true);
export const railIsShown = signal(innerWidth >= WIDE_PX);

export function ViewerPage({ viewer, library }: { viewer: Viewer; library: Library }) {
  const scene = useRef<HTMLDivElement>(null);
  const isAlone = useSignal(false);
  useEffect(() => {
    if (scene.current) viewer.stage.attach(scene.current);
    return shortcuts(viewer, {
      back: () => {
        if (isAlone.peek()) isAlone.value = false;
        else location.hash = "#/";
      },
      toggleSide: () => {
        sideIsShown.value = !sideIsShown.peek();
      },
      toggleAlone: () => {
        isAlone.value = !isAlone.peek();
      },
    });
  }, [viewer, isAlone]);
  const rail = hasRail(viewer, library);
  const withRail = rail && railIsShown.value && !isAlone.value;
  const withSide = sideIsShown.value && !isAlone.value;
  const isFlat = viewer.recording.isMoment;
  return (
    <main class={`viewer ${withRail ? "with-rail" : ""} ${withSide ? "with-side" : ""} ${isFlat ? "flat" : ""}`}>
      {withRail && <Rail viewer={viewer} library={library} />}
      <div class="middle">
        <Hud viewer={viewer} place="top" />
        <div class="scene" ref={scene}>
          <Waiting viewer={viewer} />
          <Notices viewer={viewer} />
          <div class="corner left">
            {rail && (
              <IconButton
                icon="rail"
                label={railIsShown.value ? "Hide clips and games" : "Show clips and games"}
                pressed={withRail}
                onClick={() => {
                  railIsShown.value = !railIsShown.peek();
                }}
              />
            )}
          </div>
          <div class="corner right">
            <Tools viewer={viewer} />
            <IconButton
              icon="side"
              label={withSide ? "Hide the panel" : "Show the panel"}
              pressed={withSide}
              onClick={() => {
                isAlone.value = false;
                sideIsShown.value = !withSide;
              }}
            />
          </div>
        </div>
        <Hud viewer={viewer} place="bottom" />
        {isFlat ? <Saves viewer={viewer} library={library} /> : <Controls viewer={viewer} />}
      </div>
      {withSide && <Tabs panels={panelsOf(viewer, library)} />}
    </main>
  );
}

function Waiting({ viewer }: { viewer: Viewer }) {
  if (!viewer.isWaiting.value || viewer.trouble.value) return null;
  return (
    <p class="waiting" role="status">
      Loading this moment …
    </p>
  );
}

function Notices({ viewer }: { viewer: Viewer }) {
  const notice = viewer.game.notice.value;
  const trouble = viewer.trouble.value;
  return (
    <div class="notices" role="status">
      {trouble && <p class="trouble">{trouble} It is asked again.</p>}
      {notice && <p>{notice}</p>}
    </div>
  );
}
