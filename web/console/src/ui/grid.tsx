import type { Row } from "@quern/client";
import { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { count as number, isNumber, shownCell } from "../app/format";
import { TypeIcon } from "./icon";
import { RowDialog } from "./row";
import { useScaledScroll } from "./scroll";

export interface GridColumn {
  name: string;
  type: string;
}

interface Props {
  label: string;
  columns: GridColumn[];
  /** How many rows there are, loaded or not. */
  count: number;
  /** A row, or undefined while it is not loaded. */
  rowAt: (index: number) => Row | undefined;
  /** Is told which rows are seen. */
  onRange?: (first: number, last: number) => void;
  /** The most rows that are seen at a time; as many as there is room for when left out. */
  maxRows?: number;
  /** What stands in a column's head beside its name. */
  head?: (column: GridColumn) => ReactNode;
  sort?: { column: string; descending: boolean };
  /** Whether rows are numbered. */
  numbered?: boolean;
  /** Gets a row with more of its values than the grid shows, where there is more. */
  wholeRow?: (index: number) => Promise<WholeRow>;
}

/** A row, and how long the values are that are still cut. */
export interface WholeRow {
  row: Row;
  lengths: Record<string, number>;
}

const rowHeight = 32;
const headHeight = 36;
const overscan = 6;
/** What a column's head holds beside its name: a sign for the type, a menu, and the space around them. */
const headExtra = 68;

/** A table of any length and width, of which only what is seen is drawn. */
export function Grid({ label, columns, count, rowAt, onRange, maxRows, head, sort, numbered, wholeRow }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 800, height: 400 });
  const id = useId();
  useLayoutEffect(() => {
    const watcher = new ResizeObserver(([entry]) => entry && setSize({ width: entry.contentRect.width, height: entry.contentRect.height }));
    watcher.observe(scroller.current!);
    return () => watcher.disconnect();
  }, []);
  const gutter = numbered ? Math.max(44, String(count).length * 9 + 22) : 0;
  const { lefts, widths, total } = useWidths(columns, count, rowAt, gutter, size.width);
  const view = Math.max(0, size.height - headHeight);
  const scroll = useScaledScroll(scroller, count * rowHeight, view);
  const first = Math.max(0, Math.floor(scroll.offset / rowHeight) - overscan);
  const last = Math.min(count - 1, Math.ceil((scroll.offset + view) / rowHeight) + overscan);
  useEffect(() => onRange?.(first, last), [first, last, onRange]);
  const seen = useMemo(
    () =>
      columns.flatMap((_, c) => (lefts[c]! + widths[c]! >= scroll.left - 200 && lefts[c]! <= scroll.left + size.width + 200 ? [c] : [])),
    [columns, lefts, widths, scroll.left, size.width],
  );
  const [active, setActive] = useState({ row: 0, column: 0 });
  const [opened, setOpened] = useState<number>();
  const move = useMove({ count, columns: columns.length, page: Math.max(1, Math.floor(view / rowHeight) - 1), active, setActive });
  const show = useCallback(
    (row: number, column: number) => {
      scroll.reveal(row * rowHeight, rowHeight);
      const box = scroller.current!;
      const left = lefts[column] ?? 0;
      if (left - gutter < box.scrollLeft) box.scrollLeft = left - gutter;
      else if (left + (widths[column] ?? 0) > box.scrollLeft + box.clientWidth)
        box.scrollLeft = left + (widths[column] ?? 0) - box.clientWidth;
    },
    [scroll, lefts, widths, gutter],
  );
  const onKey = (event: KeyboardEvent) => {
    if (event.target !== scroller.current) return;
    if (event.key === "Enter" && rowAt(active.row)) {
      event.preventDefault();
      setOpened(active.row);
      return;
    }
    const next = move(event);
    if (!next) return;
    event.preventDefault();
    setActive(next);
    show(next.row, next.column);
  };
  const rows = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
  const shownRows = maxRows === undefined ? undefined : Math.min(count, maxRows);
  return (
    <>
      <div
        className={shownRows === undefined ? "grid fill" : "grid"}
        ref={scroller}
        role="grid"
        aria-label={label}
        aria-rowcount={count + 1}
        aria-colcount={columns.length}
        aria-activedescendant={`${id}-${active.row}-${active.column}`}
        tabIndex={0}
        onKeyDown={onKey}
        style={shownRows === undefined ? undefined : { height: headHeight + shownRows * rowHeight + (total > size.width + 1 ? 14 : 2) }}
      >
        <div className="grid-head" role="row" aria-rowindex={1} style={{ width: total }}>
          {numbered && <span className="grid-gutter" role="presentation" style={{ width: gutter }} />}
          {seen.map((c) => {
            const column = columns[c]!;
            return (
              <div
                key={column.name}
                role="columnheader"
                aria-colindex={c + 1}
                className={isNumber(column.type) ? "grid-th right" : "grid-th"}
                style={{ left: lefts[c], width: widths[c] }}
                aria-sort={sort?.column === column.name ? (sort.descending ? "descending" : "ascending") : undefined}
              >
                <TypeIcon type={column.type} />
                <span className="ellipsis" title={column.name} dir="auto">
                  {column.name}
                </span>
                {head?.(column)}
              </div>
            );
          })}
        </div>
        <div className="grid-space" role="rowgroup" style={{ height: scroll.height, width: total }}>
          {rows.map((r) => {
            const row = rowAt(r);
            return (
              <div
                key={r}
                role="row"
                aria-rowindex={r + 2}
                className="grid-row"
                style={{ top: scroll.top(r * rowHeight), width: total }}
                onDoubleClick={() => row && setOpened(r)}
              >
                {numbered && (
                  <span className="grid-gutter" role="presentation" style={{ width: gutter }}>
                    {number(r + 1)}
                  </span>
                )}
                {seen.map((c) => {
                  const column = columns[c]!;
                  const value = row?.[column.name];
                  const here = active.row === r && active.column === c;
                  return (
                    <div
                      key={column.name}
                      id={`${id}-${r}-${c}`}
                      role="gridcell"
                      aria-colindex={c + 1}
                      dir="auto"
                      className={cellClass(column, here, row !== undefined && (value === null || value === undefined))}
                      style={{ left: lefts[c], width: widths[c] }}
                      onClick={() => {
                        setActive({ row: r, column: c });
                        scroller.current?.focus({ preventScroll: true });
                      }}
                    >
                      {row ? clip(shownCell(value, column.type)) : <span className="grid-wait" />}
                    </div>
                  );
                })}
              </div>
            );
          })}
        </div>
      </div>
      {opened !== undefined && (
        <RowDialog
          title={`Row ${number(opened + 1)}`}
          row={rowAt(opened)}
          columns={columns}
          whole={wholeRow && (() => wholeRow(opened))}
          onClose={() => {
            setOpened(undefined);
            scroller.current?.focus();
          }}
        />
      )}
    </>
  );
}

function cellClass(column: GridColumn, here: boolean, none: boolean): string {
  return ["grid-td", isNumber(column.type) && "right", here && "here", none && "none"].filter(Boolean).join(" ");
}

/** A cell is cut where nobody could see the rest anyway. */
function clip(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

let pen: CanvasRenderingContext2D | null | undefined;

/** How wide a column's name is drawn: letters differ by more than a guess can be off. */
function nameWidth(name: string): number {
  pen ??= document.createElement("canvas").getContext("2d");
  if (!pen) return name.length * 9;
  pen.font = `550 13px ${getComputedStyle(document.documentElement).fontFamily}`;
  return Math.ceil(pen.measureText(name).width);
}

function useWidths(columns: GridColumn[], count: number, rowAt: (index: number) => Row | undefined, gutter: number, room: number) {
  const loaded = count > 0 && rowAt(0) !== undefined;
  return useMemo(() => {
    const wanted = columns.map((column) => {
      let longest = 0;
      for (let i = 0; i < Math.min(count, 24); i++)
        longest = Math.max(longest, Math.min(44, shownCell(rowAt(i)?.[column.name], column.type).length));
      return Math.min(320, Math.max(84, nameWidth(column.name) + headExtra, Math.round(longest * 7.4) + 28));
    });
    const sum = wanted.reduce((all, one) => all + one, gutter);
    const spare = Math.max(0, room - sum);
    const widths = wanted.map((width) => width + Math.floor(spare / Math.max(1, wanted.length)));
    let at = gutter;
    const lefts = widths.map((width) => (at += width) - width);
    return { lefts, widths, total: at };
    // The widths are those of the first rows that came; they do not move while more come.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [columns, loaded, gutter, room]);
}

interface MoveOptions {
  count: number;
  columns: number;
  page: number;
  active: { row: number; column: number };
  setActive: (at: { row: number; column: number }) => void;
}

/** Where a key leads from the active cell. */
function useMove({ count, columns, page, active }: MoveOptions) {
  return (event: KeyboardEvent): { row: number; column: number } | undefined => {
    const { row, column } = active;
    const far = event.ctrlKey || event.metaKey;
    const to: Record<string, [number, number]> = {
      ArrowDown: [row + 1, column],
      ArrowUp: [row - 1, column],
      ArrowRight: [row, column + 1],
      ArrowLeft: [row, column - 1],
      PageDown: [row + page, column],
      PageUp: [row - page, column],
      Home: far ? [0, 0] : [row, 0],
      End: far ? [count - 1, columns - 1] : [row, columns - 1],
    };
    const next = to[event.key];
    if (!next || event.altKey) return undefined;
    return { row: Math.min(count - 1, Math.max(0, next[0])), column: Math.min(columns - 1, Math.max(0, next[1])) };
  };
}
