// The server that the page came from, as a source of recordings. Nothing else is ever asked of any machine.

import { Pack } from "./pack";
import type {
  Details,
  FogIndex,
  Holdings,
  LinesIndex,
  OutlineIndex,
  OverviewIndex,
  PieceIndex,
  RollbacksIndex,
  Rows,
  Source,
  WorldIndex,
} from "./source";

/** Said when the server is gone: it runs as long as `postgame view` does. */
export const LOST = "The server does not answer. Is `postgame view` still running?";

/** No answer came at all. */
export class LostServer extends Error {
  constructor() {
    super(LOST);
  }
}

export class ServerSource implements Source {
  /** Asks for a path beside the page: the page's own address begins with the server's secret. */
  private async ask(path: string): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(path);
    } catch {
      throw new LostServer();
    }
    if (!response.ok) throw new Error(await response.text());
    return response;
  }

  private async json<T>(path: string): Promise<T> {
    return (await (await this.ask(path)).json()) as T;
  }

  private async pack<Index>(id: number, what: string): Promise<Pack<Index>> {
    return new Pack<Index>(await (await this.ask(`api/recordings/${id}/${what}`)).arrayBuffer());
  }

  rows(from: number) {
    return this.json<Rows>(`api/recordings?from=${from}`);
  }
  revision(id: number) {
    return this.json<string>(`api/recordings/${id}/revision`);
  }
  outline(id: number) {
    return this.pack<OutlineIndex>(id, "outline");
  }
  overview(id: number) {
    return this.pack<OverviewIndex>(id, "overview");
  }
  piece(id: number, from_s: number, to_s: number) {
    return this.pack<PieceIndex>(id, `piece?from_s=${from_s}&to_s=${to_s}`);
  }
  async moment(id: number, time_s: number) {
    return (await this.ask(`api/recordings/${id}/moment?time_s=${time_s}`)).blob();
  }
  fog(id: number) {
    return this.pack<FogIndex>(id, "fog");
  }
  world(id: number) {
    return this.pack<WorldIndex>(id, "world");
  }
  holdings(id: number) {
    return this.json<Holdings>(`api/recordings/${id}/holdings`);
  }
  rollbacks(id: number) {
    return this.pack<RollbacksIndex>(id, "rollbacks");
  }
  lines(id: number) {
    return this.pack<LinesIndex>(id, "lines");
  }
  details(id: number, name: string) {
    return this.json<Details | null>(`api/recordings/${id}/details?name=${encodeURIComponent(name)}`);
  }
  async glb(id: number, part?: { from_s: number; to_s: number }) {
    const query = part ? `?from_s=${part.from_s}&to_s=${part.to_s}` : "";
    return (await this.ask(`api/recordings/${id}/glb${query}`)).blob();
  }
}
