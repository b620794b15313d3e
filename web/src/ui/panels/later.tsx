// What is shown once it has come.

import { useEffect, useState } from "preact/hooks";

/** A promise's value; its error as a text. */
export function useLater<T>(make: () => Promise<T>, key: unknown): { value?: T; error?: string } {
  const [state, set] = useState<{ value?: T; error?: string }>({});
  // Asked again only when the key changes.
  useEffect(() => {
    let isWanted = true;
    make().then(
      (value) => isWanted && set({ value }),
      (error: unknown) => isWanted && set({ error: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      isWanted = false;
    };
  }, [key]);
  return state;
}

export function Pending({ error }: { error?: string | undefined }) {
  return error ? <p role="alert">{error}</p> : <p role="status">Loading …</p>;
}
