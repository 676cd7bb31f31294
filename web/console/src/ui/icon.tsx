/** The icons, drawn on a grid of 16 with strokes of 1.5. */
const shapes = {
  home: "M2.5 7 8 2.5 13.5 7v6a.5.5 0 0 1-.5.5H9.8v-4H6.2v4H3a.5.5 0 0 1-.5-.5z",
  ask: "M2.5 4A1.5 1.5 0 0 1 4 2.5h8A1.5 1.5 0 0 1 13.5 4v5.5A1.5 1.5 0 0 1 12 11H7.5l-3 2.5V11H4a1.5 1.5 0 0 1-1.5-1.5zM5.5 6h5M5.5 8.2h3",
  data:
    "M2.5 4c0-1 2.5-1.7 5.5-1.7s5.5.7 5.5 1.7S11 5.7 8 5.7 2.5 5 2.5 4z" +
    "M2.5 4v8c0 1 2.5 1.7 5.5 1.7s5.5-.7 5.5-1.7V4M2.5 8c0 1 2.5 1.7 5.5 1.7S13.5 9 13.5 8",
  table: "M2.5 3.5h11v9h-11zM2.5 6.5h11M6.5 6.5v6",
  upload: "M8 10.5v-8M4.8 5.5 8 2.4l3.2 3.1M2.5 10.5v2a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1v-2",
  download: "M8 2.5v8M4.8 7.5 8 10.6l3.2-3.1M2.5 10.5v2a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1v-2",
  search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.4 10.4l3.1 3.1",
  settings:
    "M2.5 4.5h6M12 4.5h1.5M2.5 11.5H4M7.5 11.5h6" +
    "M10.2 6.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4zM5.8 13.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4z",
  share:
    "M11.5 5.7a1.9 1.9 0 1 0 0-3.8 1.9 1.9 0 0 0 0 3.8zM4.5 9.9a1.9 1.9 0 1 0 0-3.8 1.9 1.9 0 0 0 0 3.8z" +
    "M11.5 14.1a1.9 1.9 0 1 0 0-3.8 1.9 1.9 0 0 0 0 3.8zM6.2 7.1l3.6-2.2M6.2 8.9l3.6 2.2",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  close: "M4 4l8 8M12 4l-8 8",
  check: "M3 8.5 6.5 12 13 4.5",
  right: "M6 3.5 10.5 8 6 12.5",
  down: "M3.5 6 8 10.5 12.5 6",
  up: "M3.5 10 8 5.5l4.5 4.5",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  sun:
    "M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6zM8 1.5v1.3M8 13.2v1.3M1.5 8h1.3" +
    "M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9",
  moon: "M13 9.8A5.6 5.6 0 0 1 6.2 3a5.6 5.6 0 1 0 6.8 6.8z",
  screen: "M2.5 3h11v7.5h-11zM6 13.5h4M8 10.5v3",
  warn: "M8 2.5 14 13H2zM8 6.5v3M8 11.2v.01",
  info: "M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM8 7.5v3.2M8 5.3v.01",
  lock: "M4 7.5h8v6H4zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5",
  key: "M5.2 11.6a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6zM7.3 7.2 13 2.5M10.5 4.6l1.7 1.9",
  up_thumb: "M5 7.2v6M5 7.2 7.6 2.4c1 0 1.7.8 1.5 1.8l-.5 2.4h3.5c.9 0 1.5.8 1.3 1.7l-.9 3.8c-.1.7-.7 1.1-1.4 1.1H5M5 7.2H2.8v6H5",
  down_thumb: "M5 8.8v-6M5 8.8l2.6 4.8c1 0 1.7-.8 1.5-1.8l-.5-2.4h3.5c.9 0 1.5-.8 1.3-1.7l-.9-3.8c-.1-.7-.7-1.1-1.4-1.1H5M5 8.8H2.8v-6H5",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  trash: "M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.6 9h6.8l.6-9M6.8 7v4M9.2 7v4",
  edit: "M3 13l.6-2.9 7-7a1 1 0 0 1 1.4 0l.9.9a1 1 0 0 1 0 1.4l-7 7z",
  play: "M5 3.2v9.6L12.5 8z",
  pause: "M5.2 3.5v9M10.8 3.5v9",
  stop: "M4 4h8v8H4z",
  retry: "M13 8a5 5 0 1 1-1.6-3.7M13.2 2.2v2.6h-2.6",
  filter: "M2.5 3.5h11L9.5 8.2v4.3l-3 1V8.2z",
  sort: "M5 3v10M2.5 10.5 5 13l2.5-2.5M11 13V3M8.5 5.5 11 3l2.5 2.5",
  link: "M6.7 9.3a2.6 2.6 0 0 0 3.7 0l2.3-2.3A2.6 2.6 0 0 0 9 3.3l-.9.9M9.3 6.7a2.6 2.6 0 0 0-3.7 0L3.3 9A2.6 2.6 0 0 0 7 12.7l.9-.9",
  file: "M4 2.5h5L12.5 6v7.5H4zM9 2.5V6h3.5",
  chart: "M2.5 13.5h11M4.5 11V8M8 11V4M11.5 11V6.5",
  code: "M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5",
  clock: "M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM8 5v3.2l2 1.3",
  user: "M8 8a2.7 2.7 0 1 0 0-5.4A2.7 2.7 0 0 0 8 8zM2.8 13.5c.5-2.3 2.6-3.5 5.2-3.5s4.7 1.2 5.2 3.5",
  users:
    "M6 7.8a2.4 2.4 0 1 0 0-4.8 2.4 2.4 0 0 0 0 4.8z" +
    "M1.8 13c.4-2 2-3.1 4.2-3.1s3.8 1.1 4.2 3.1M10.5 3.2a2.3 2.3 0 0 1 0 4.4M12 10.2c1.3.4 2 1.4 2.3 2.8",
  folder: "M2 4.2c0-.7.5-1.2 1.2-1.2h3l1.5 1.7h5.1c.7 0 1.2.5 1.2 1.2v6c0 .6-.5 1.1-1.2 1.1H3.2c-.7 0-1.2-.5-1.2-1.1z",
  out: "M9.5 3H13v3.5M13 3 7.5 8.5M11.5 9.5v3.5h-8.5V4.5h3.5",
  exit: "M6.5 13.5h-4v-11h4M10 5l3 3-3 3M13 8H6",
  columns: "M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10",
  book: "M8 4.2C6.8 3.3 5 3 2.5 3v9.5c2.5 0 4.3.3 5.5 1.2 1.2-.9 3-1.2 5.5-1.2V3C11 3 9.2 3.3 8 4.2zM8 4.2v9.5",
  spark: "M8 2.2 9.5 6.5 13.8 8 9.5 9.5 8 13.8 6.5 9.5 2.2 8l4.3-1.5z",
  text: "M3 4h10M8 4v9M6 13h4",
  number: "M5.5 3 4.5 13M11.5 3l-1 10M3 6h10.5M2.5 10H13",
  calendar: "M2.5 4h11v9.5h-11zM2.5 7h11M5.5 2.5V5M10.5 2.5V5",
  toggle: "M5.5 4.5h5a3.5 3.5 0 0 1 0 7h-5a3.5 3.5 0 0 1 0-7zM5.5 9.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3z",
  braces:
    "M6 2.8c-2 0-2 1-2 2.4S4 7.6 2.5 8C4 8.4 4 9.4 4 10.800s0 2.4 2 2.400" +
    "M10 2.800c2 0 2 1 2 2.400S12 7.6 13.5 8C12 8.4 12 9.4 12 10.800s0 2.4-2 2.4",
} as const;

export type IconName = keyof typeof shapes;

/** An icon beside a text that says the same; it has no name of its own. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      className="icon"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === "more" ? 2 : 1.4}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={shapes[name]} />
    </svg>
  );
}

/** The millstone. */
export function Mark({ size = 18 }: { size?: number }) {
  return (
    <svg className="mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path
        className="mark-stone"
        fillRule="evenodd"
        d="M16 1.500a14.5 14.5 0 1 1 0 29 14.5 14.5 0 0 1 0-29zM16 11.500a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9z"
      />
      <path
        className="mark-groove"
        d="M16 9.200V4.200M21.9 12.600l4.3-2.500M21.9 19.400l4.3 2.500M16 22.800v5M10.1 19.400l-4.3 2.500M10.1 12.6 5.8 10.1"
      />
    </svg>
  );
}

const types: Record<string, IconName> = {
  boolean: "toggle",
  integer: "number",
  double: "number",
  decimal: "number",
  date: "calendar",
  timestamp: "clock",
  text: "text",
  json: "braces",
};

/** The icon of a column's type. */
export function TypeIcon({ type }: { type: string }) {
  return <Icon name={types[type.split("(")[0] ?? ""] ?? "text"} size={14} />;
}
