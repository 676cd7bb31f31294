import type { Row } from "@quern/client";
import { cell } from "../../app/format";
import type { GridColumn } from "../../ui/grid";

const places = ["__row", "__file", "__sheet", "__page"];

/** Whether a member of a row is a column for readers: one of the dataset's, or a place that was asked for by name. */
export const isShown = (name: string): boolean => !name.startsWith("__") || places.includes(name);

/** The columns of rows that came without a description: their members, in order, but for internal ones. */
export function columnsOf(rows: Row[]): GridColumn[] {
  const names = new Set<string>();
  for (const row of rows.slice(0, 50)) for (const name of Object.keys(row)) if (isShown(name)) names.add(name);
  return [...names].map((name) => ({ name, type: guess(rows, name) }));
}

function guess(rows: Row[], name: string): string {
  const values = rows
    .slice(0, 50)
    .map((row) => row[name])
    .filter((value) => value !== null && value !== undefined);
  if (values.length === 0) return "text";
  if (values.every((value) => typeof value === "number")) return "double";
  if (values.every((value) => typeof value === "boolean")) return "boolean";
  if (values.every((value) => typeof value === "object")) return "json";
  const texts = values.map(String);
  if (texts.every((text) => /^\d{4}-\d\d-\d\d$/.test(text))) return "date";
  if (texts.every((text) => /^\d{4}-\d\d-\d\dT.*Z$/.test(text))) return "timestamp";
  return "text";
}

/** Rows as CSV. Text that a spreadsheet would run as a formula gets an apostrophe, as exports of the server do. */
export function toCSV(names: string[], rows: Row[]): string {
  const field = (value: unknown) => {
    const text = cell(value);
    const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return [names.map(field).join(","), ...rows.map((row) => names.map((name) => field(row[name])).join(","))].join("\r\n") + "\r\n";
}

export function saveCSV(name: string, names: string[], rows: Row[]): void {
  save(`${fileName(name)}.csv`, new Blob([toCSV(names, rows)], { type: "text/csv;charset=utf-8" }));
}

/** Hands a file to the reader. */
export function save(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function fileName(text: string): string {
  return (
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 60) || "rows"
  );
}
