// All recordings that are being shown: the rows fill while headers are read.

import { signal } from "@preact/signals";
import type { Row, Source } from "../../data/source";

/** How often the list is asked while it fills, and while no answer comes. */
const POLL_MS = 150;
const RETRY_MS = 2000;

export class Library {
  readonly rows = signal<readonly Row[]>([]);
  readonly total = signal<number | undefined>(undefined);
  readonly trouble = signal("");
  private isFilling = false;

  constructor(private readonly source: Source) {}

  get isComplete(): boolean {
    return this.total.value !== undefined && this.rows.value.length >= this.total.value;
  }

  async fill(): Promise<void> {
    if (this.isFilling) return;
    this.isFilling = true;
    for (;;) {
      try {
        const { total, read, rows } = await this.source.rows(this.rows.peek().length);
        this.trouble.value = "";
        this.total.value = total;
        if (rows.length > 0) this.rows.value = [...this.rows.peek(), ...rows];
        if (read >= total) return;
        await wait(POLL_MS);
      } catch (error) {
        this.trouble.value = error instanceof Error ? error.message : String(error);
        await wait(RETRY_MS);
      }
    }
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
