// What the address asks for: the list, or a recording. Everything that all of the page shares is here.

import { signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { Source } from "./data/source";
import { Icon, IconButton } from "./icons";
import { headline } from "./names/headline";
import { type Place, parse } from "./state/route";
import { theme, toggleTheme } from "./state/theme";
import { Help, helpIsOpen } from "./ui/help";
import { Library } from "./ui/list/library";
import { List } from "./ui/list/list";
import { Viewer } from "./ui/viewer/session";
import { ViewerPage } from "./ui/viewer/viewer";

type State =
  | { is: "list" }
  | { is: "opening" }
  | { is: "open"; viewer: Viewer }
  | { is: "failed"; message: string; place: Place };

const PRODUCT = "Postgame";

class Router {
  readonly state = signal<State>({ is: "list" });
  /** Counts the addresses that were gone to: an answer that comes late belongs to none of them. */
  private turn = 0;

  constructor(private readonly source: Source) {}

  async go(place: Place | undefined = parse(location.hash)): Promise<void> {
    const turn = ++this.turn;
    window.postgame.viewer?.close();
    window.postgame.viewer = undefined;
    if (!place) {
      document.title = `Recordings – ${PRODUCT}`;
      this.state.value = { is: "list" };
      return;
    }
    if (!place.isLive) this.state.value = { is: "opening" };
    try {
      const viewer = await Viewer.open(this.source, place, (next) => void this.go(next));
      if (turn !== this.turn) return viewer.close();
      window.postgame.viewer = viewer;
      document.title = `${headline(viewer.recording).title} – ${PRODUCT}`;
      this.state.value = { is: "open", viewer };
    } catch (error) {
      if (turn !== this.turn) return;
      document.title = `Not opened – ${PRODUCT}`;
      this.state.value = { is: "failed", message: error instanceof Error ? error.message : String(error), place };
    }
  }
}

export function App({ source }: { source: Source }) {
  const router = useMemo(() => new Router(source), [source]);
  const library = useMemo(() => new Library(source), [source]);
  useEffect(() => {
    const go = () => void router.go();
    addEventListener("hashchange", go);
    go();
    void library.fill();
    return () => removeEventListener("hashchange", go);
  }, [router, library]);
  const state = router.state.value;
  return (
    <>
      <header class="bar">
        <a href="#/" class="brand" aria-label="Postgame: All recordings" title="All recordings">
          <Icon name="list" />
          <span>{PRODUCT}</span>
        </a>
        <Title state={state} />
        <IconButton
          icon="theme"
          label={theme.value === "dark" ? "Light colours" : "Dark colours"}
          onClick={toggleTheme}
        />
        <IconButton
          icon="help"
          label="Keyboard shortcuts"
          onClick={() => {
            helpIsOpen.value = true;
          }}
        />
      </header>
      {state.is === "list" && <List library={library} />}
      {state.is === "opening" && (
        <main class="message" aria-busy="true">
          <p role="status">Reading the recording …</p>
        </main>
      )}
      {state.is === "failed" && (
        <main class="message">
          <div role="alert">
            <h2>This recording could not be opened</h2>
            <p>{state.message}</p>
          </div>
          <p class="row">
            <button type="button" class="primary" onClick={() => void router.go(state.place)}>
              Try again
            </button>
            <a class="button" href="#/">
              All recordings
            </a>
          </p>
        </main>
      )}
      {state.is === "open" && <ViewerPage key={state.viewer} viewer={state.viewer} library={library} />}
      <Help />
    </>
  );
}

function Title({ state }: { state: State }) {
  if (state.is === "open") {
    const { title, detail } = headline(state.viewer.recording);
    return (
      <div class="title">
        <h1 title={title}>{title}</h1>
        <p>{detail}</p>
      </div>
    );
  }
  return (
    <div class="title">
      <h1>{state.is === "list" ? "Recordings" : PRODUCT}</h1>
    </div>
  );
}
