const whole = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** A number with groups of digits. */
export function count(n: number): string {
  return whole.format(n);
}

/** A number in about four characters. */
export function compact(n: number): string {
  return Math.abs(n) < 10_000 ? whole.format(n) : short.format(n);
}

/** A count with its noun: `1 row`, `2 rows`. */
export function counted(n: number, noun: string, plural = `${noun}s`): string {
  return `${whole.format(n)} ${n === 1 ? noun : plural}`;
}

/** A size in bytes. */
export function bytes(n: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let i = 0;
  for (; n >= 1000 && i < units.length - 1; i++) n /= 1000;
  return `${n >= 100 || i === 0 ? Math.round(n) : n.toFixed(1)} ${units[i]}`;
}

/** How long ago, or a date when it is long ago. */
export function ago(when: string | number): string {
  const then = new Date(when);
  const seconds = (Date.now() - then.getTime()) / 1000;
  if (seconds < 45) return "just now";
  if (seconds < 3600) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.round(seconds / 3600)} h ago`;
  if (seconds < 7 * 86_400) return `${Math.round(seconds / 86_400)} d ago`;
  return then.toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });
}

/** A moment, to the minute, in the reader's time. */
export function moment(when: string | number): string {
  return new Date(when).toLocaleString("en-GB", { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" });
}

/** A cell as text. Nothing in it is ever markup. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "object") return JSON.stringify(value);
  return String(value);
}

/** A cell as people read it: instants without their T and Z, quotients without their endless decimals. */
export function shownCell(value: unknown, type?: string): string {
  const text = cell(value);
  if (typeof value === "number" && text.replace(/^-?0?\.?0*|e.*$/, "").length > 13) {
    return String(Number(Math.abs(value) < 1 ? value.toPrecision(4) : value.toFixed(4)));
  }
  if (type === "timestamp" && /^\d{4}-\d\d-\d\dT/.test(text)) return text.replace("T", " ").replace(/(:00)?(\.0+)?Z$/, "");
  return text;
}

/** Whether a column of this type is written to the right. */
export function isNumber(type: string): boolean {
  return /^(integer|double|decimal)/.test(type);
}

/** A type in a word that people know. */
export function typeName(type: string): string {
  const name = type.split("(")[0] ?? type;
  return (
    {
      integer: "whole number",
      double: "number",
      decimal: "exact number",
      timestamp: "date and time",
      boolean: "yes or no",
      json: "nested",
    }[name] ?? name
  );
}
