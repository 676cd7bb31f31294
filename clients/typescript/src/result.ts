import type { AnswerStep, Row } from "./schema.gen.js";

/** The rows of a query. A number that JavaScript would change is its text. */
export interface Result {
  columns: string[];
  /** One value per column. */
  rows: unknown[][];
  /** How many rows the whole result has. */
  total: number;
  /** Whether `rows` holds fewer than that. */
  truncated: boolean;
  /** The query as it was run. */
  query: string;
}

/** Columns that queries can ask for by name: where rows stand and came from. */
const places = new Set(["__row", "__file", "__sheet", "__page"]);

/** Makes a result of rows as the server sends them, without what rows tell of themselves. */
export function toResult(data: readonly Row[], about: { total?: number; truncated?: boolean; query: string }): Result {
  const columns = Object.keys(data[0] ?? {}).filter((name) => !name.startsWith("__") || places.has(name));
  const rows = data.map((row) => columns.map((name) => (row as Record<string, unknown>)[name]));
  return { columns, rows, total: about.total ?? rows.length, truncated: about.truncated ?? false, query: about.query };
}

/** The rows of a step of an answer. */
export function stepResult(step: AnswerStep): Result {
  return toResult(step.data, { total: step.totalCount, truncated: step.truncated, query: step.query });
}
