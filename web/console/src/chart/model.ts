import type { Chart, Row } from "@quern/client";
import { cell } from "../app/format";

/** How rows can be drawn. `pie` is offered and never chosen by the server. */
export type Kind = "bars" | "columns" | "line" | "grouped" | "stacked" | "percent" | "pie" | "scatter" | "heat" | "histogram";

export const kindNames: Record<Kind, string> = {
  bars: "Bars",
  columns: "Columns",
  line: "Lines",
  grouped: "Grouped bars",
  stacked: "Stacked bars",
  percent: "Shares",
  pie: "Pie",
  scatter: "Points",
  heat: "Heat map",
  histogram: "Histogram",
};

/** What is drawn: the labels along x and, for each series, a value at each of them. */
export interface Model {
  x: string;
  labels: string[];
  /** The labels as times, where all of them are. */
  times?: Date[];
  series: { name: string; values: (number | null)[] }[];
  /** Pairs of numbers, for points. */
  points: { x: number; y: number; label: string }[];
  /** The numbers of one column, for a histogram. */
  numbers: number[];
  unit?: string;
  /** What had no room, in words. */
  left?: string;
}

const mostSeries = 8;
const mostLabels = 25;

/** A number, where a value is one. */
export function toNumber(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value))) return Number(value);
  return null;
}

/** A time, where a value is a date, an instant, a month, a quarter or a year. */
export function toTime(value: unknown): Date | null {
  if (typeof value === "number") return Number.isInteger(value) && value > 999 && value < 3000 ? new Date(Date.UTC(value, 0)) : null;
  if (typeof value !== "string") return null;
  const quarter = /^(\d{4})-?Q([1-4])$/.exec(value);
  if (quarter) return new Date(Date.UTC(Number(quarter[1]), (Number(quarter[2]) - 1) * 3));
  const week = /^(\d{4})-W(\d\d)$/.exec(value);
  if (week) return firstOfWeek(Number(week[1]), Number(week[2]));
  if (!/^\d{4}(-\d\d(-\d\d)?)?([T ]\d\d:\d\d.*)?$/.test(value)) return null;
  const time = new Date(value.length === 4 ? `${value}-01-01` : value.length === 7 ? `${value}-01` : value.replace(" ", "T"));
  return Number.isNaN(time.getTime()) ? null : time;
}

/** The Monday of a week, as ISO 8601 counts them: the first one has the fourth of January in it. */
function firstOfWeek(year: number, week: number): Date {
  const fourth = new Date(Date.UTC(year, 0, 4));
  return new Date(Date.UTC(year, 0, 4 - ((fourth.getUTCDay() + 6) % 7) + (week - 1) * 7));
}

/** Reads the rows of a step as its chart says. */
export function modelOf(chart: Chart, rows: Row[]): Model {
  const x = chart.x ?? "";
  const y = chart.y ?? [];
  const measure = y[0] ?? "";
  const model: Model = {
    x,
    unit: chart.unit,
    labels: [],
    series: [],
    points: rows.flatMap((row) => {
      const [px, py] = [toNumber(row[x]), toNumber(row[measure])];
      return px === null || py === null ? [] : [{ x: px, y: py, label: pointLabel(row, x, measure) }];
    }),
    numbers: rows.flatMap((row) => toNumber(row[chart.kind === "histogram" ? x || measure : measure || x]) ?? []),
  };
  const keys = new Map<string, number>();
  const values: unknown[] = [];
  for (const row of rows) {
    const key = label(row[x]);
    if (keys.has(key)) continue;
    keys.set(key, keys.size);
    values.push(row[x]);
  }
  model.labels = [...keys.keys()];
  model.series = chart.series
    ? bySeries(chart.series, x, measure, rows, keys)
    : y.map((name) => ({ name, values: column(rows, x, name, keys) }));
  cutSeries(model, chart);
  const times = values.map(toTime);
  if (times.length > 0 && times.every((time) => time !== null)) sortByTime(model, times as Date[]);
  return model;
}

/** Leaves out the series that there is no room for; where values can be added up, the others become one. */
function cutSeries(model: Model, chart: Chart): void {
  const most = Math.min(mostSeries, chart.series && chart.top ? chart.top : mostSeries);
  if (model.series.length <= most) return;
  const rest = model.series.slice(most);
  model.series = model.series.slice(0, most);
  if (!chart.summed) {
    model.left = `${rest.length} more series are in the table`;
    return;
  }
  const add = (a: number | null, b: number | null | undefined) => (b === null || b === undefined ? a : (a ?? 0) + b);
  const values = model.labels.map((_, i) => rest.reduce<number | null>((sum, one) => add(sum, one.values[i]), null));
  model.series.push({ name: `${rest.length} others`, values });
}

function label(value: unknown): string {
  return value === null || value === undefined ? "unknown" : value === "" ? "(empty)" : cell(value);
}

function pointLabel(row: Row, x: string, y: string): string {
  const other = Object.entries(row).find(
    ([name, value]) => !name.startsWith("__") && name !== x && name !== y && typeof value === "string",
  );
  return other ? cell(other[1]) : "";
}

function column(rows: Row[], x: string, name: string, keys: Map<string, number>): (number | null)[] {
  const values: (number | null)[] = Array.from({ length: keys.size }, () => null);
  for (const row of rows) values[keys.get(label(row[x]))!] = toNumber(row[name]);
  return values;
}

function bySeries(series: string, x: string, measure: string, rows: Row[], keys: Map<string, number>): Model["series"] {
  const found = new Map<string, (number | null)[]>();
  for (const row of rows) {
    const name = label(row[series]);
    const values = found.get(name) ?? Array.from({ length: keys.size }, () => null);
    values[keys.get(label(row[x]))!] = toNumber(row[measure]);
    found.set(name, values);
  }
  const sum = (values: (number | null)[]) => values.reduce<number>((all, one) => all + Math.abs(one ?? 0), 0);
  return [...found].map(([name, values]) => ({ name, values })).sort((a, b) => sum(b.values) - sum(a.values));
}

function sortByTime(model: Model, times: Date[]): void {
  const order = times.map((_, i) => i).sort((a, b) => times[a]!.getTime() - times[b]!.getTime());
  model.times = order.map((i) => times[i]!);
  model.labels = order.map((i) => model.labels[i]!);
  model.series = model.series.map((one) => ({ ...one, values: order.map((i) => one.values[i] ?? null) }));
}

/** The labels in the order of their value, the greatest first, cut to those there is room for. */
export function ranked(model: Model): Model {
  const first = model.series[0]?.values ?? [];
  const order = model.labels.map((_, i) => i).sort((a, b) => (first[b] ?? -Infinity) - (first[a] ?? -Infinity));
  const kept = order.slice(0, mostLabels);
  const rest = order.length - kept.length;
  return {
    ...model,
    times: undefined,
    labels: kept.map((i) => model.labels[i]!),
    series: model.series.map((one) => ({ ...one, values: kept.map((i) => one.values[i] ?? null) })),
    left: rest > 0 ? `${rest} more are in the table` : model.left,
  };
}

/** The kind that the server chose, as it is drawn here. */
export function kindOf(chart: Chart, model: Model): Kind {
  const kind = own[chart.kind];
  return kind === "line" && (model.times?.length ?? 0) < 2 ? "columns" : kind;
}

const own: Record<Chart["kind"], Kind> = {
  numbers: "bars", // of one row, which is not drawn
  table: "bars",
  shares: "percent",
  calendarBars: "columns",
  line: "line",
  bars: "bars",
  groupedBars: "grouped",
  stackedBars: "stacked",
  heat: "heat",
  histogram: "histogram",
  scatter: "scatter",
  binnedScatter: "scatter",
};

/** Whether rows can be drawn in a kind, and if not, why. */
export function misfit(kind: Kind, model: Model): string {
  const values = model.series.flatMap((one) => one.values).filter((value) => value !== null);
  const positive = values.every((value) => value >= 0);
  switch (kind) {
    case "line":
      return model.times && model.times.length > 1 ? "" : "there is no time to draw it over";
    case "grouped":
    case "stacked":
      return model.series.length > 1 ? (kind === "stacked" && !positive ? "some values are negative" : "") : "there is one series only";
    case "heat":
      return model.series.length > 1 ? "" : "there is one series only";
    case "percent":
    case "pie":
      return model.series.length !== 1
        ? "there are several series"
        : model.labels.length > 12
          ? "there are too many parts"
          : positive && values.length > 0
            ? ""
            : "some values are negative";
    case "scatter":
      return model.points.length > 1 ? "" : "there are no two numbers a row";
    case "histogram":
      return model.numbers.length > 1 ? "" : "there are no numbers to count";
    default:
      return values.length > 0 ? "" : "there is no number to draw";
  }
}
