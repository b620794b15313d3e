// The sheet of keys. There is one: whatever opens it, the keys of the page rest meanwhile.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

export const helpIsOpen = signal(false);

const KEYS: [string, string][] = [
  ["Space, K", "play, pause"],
  ["← →", "5 seconds back, on"],
  ["J L", "1 second back, on"],
  [", .", "one frame back, on"],
  ["P N", "previous, next event"],
  ["↑ ↓", "faster, slower"],
  ["0 … 9", "to that tenth of the recording"],
  ["Home End", "to the start, to the end"],
  ["R", "loop"],
  ["C", "next camera"],
  ["H", "camera home"],
  ["F", "the scene alone"],
  ["B", "panel beside the scene"],
  ["T", "dark, light"],
  ["Esc", "back to the list"],
  ["?", "this sheet"],
];

export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = helpIsOpen.value;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  const close = () => {
    helpIsOpen.value = false;
  };
  return (
    <dialog ref={dialog} class="help" aria-label="Keyboard shortcuts" onClose={close}>
      <h2>Keys</h2>
      <table>
        <tbody>
          {KEYS.map(([keys, what]) => (
            <tr key={keys}>
              <th scope="row">
                <kbd>{keys}</kbd>
              </th>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="note">Free camera: drag to turn, right-drag to move, wheel to go nearer.</p>
      <button type="button" onClick={close}>
        Close
      </button>
    </dialog>
  );
}
