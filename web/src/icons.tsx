// Signs on buttons, drawn: no font has to have them.

/** Paths in a square of 24. */
const PATHS = {
  play: "M7 4v16l13-8z",
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  nextFrame: "M5 4h3v16H5zM10 4v16l10-8z",
  previousFrame: "M16 4h3v16h-3zM14 4v16L4 12z",
  nextEvent: "M4 4v16l8-8zM12 4v16l7-8zM19 4h2v16h-2z",
  previousEvent: "M20 4v16l-8-8zM12 4v16l-7-8zM3 4h2v16H3z",
  loop: "M12 5V1l6 5-6 5V7a5 5 0 1 0 5 5h2a7 7 0 1 1-7-7z",
  home: "M12 3l10 9h-3v9h-5v-6h-4v6H5v-9H2z",
  list: "M3 5h18v3H3zM3 10.5h18v3H3zM3 16h18v3H3z",
  theme: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm0 2.4a7.6 7.6 0 0 1 0 15.2z",
  help: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm-1.2 15.2h2.4v2.4h-2.4zM8 9.5a4 4 0 1 1 6.2 3.3c-.8.6-1 .9-1 2.2h-2.4c0-2.2.5-3 1.9-4a1.6 1.6 0 1 0-2.3-1.5z",
  side: "M3 4h18v16H3zm2 2v12h8V6z",
  rail: "M3 4h18v16H3zm8 2v12h8V6z",
  full: "M4 4h6v2H6v4H4zm10 0h6v6h-2V6h-4zM4 14h2v4h4v2H4zm14 0h2v6h-6v-2h4z",
  export: "M12 3l6 6h-4v7h-4V9H6zM4 18h16v3H4z",
  close: "M5 6.4L6.4 5 12 10.6 17.6 5 19 6.4 13.4 12l5.6 5.6-1.4 1.4L12 13.4 6.4 19 5 17.6 10.6 12z",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} fill-rule="evenodd" />
    </svg>
  );
}

/** A button that shows a sign; its label is said, and shown as a tooltip. */
export function IconButton(props: {
  icon: IconName;
  label: string;
  onClick: () => void;
  class?: string;
  pressed?: boolean;
}) {
  const { icon, label, onClick, pressed } = props;
  return (
    <button
      type="button"
      class={`icon-button ${props.class ?? ""}`}
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
