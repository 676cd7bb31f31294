import type { ColumnDescription, Histogram } from "@quern/client";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { histogram } from "../../api/queries";
import { compact, count, shownCell } from "../../app/format";
import { TypeIcon } from "../../ui/icon";
import { TextField } from "../../ui/field";
import { useDataset } from "./dataset";

const many = 24;

/** The columns with their types, what their values are, and how they spread. */
export function Columns() {
  const { about } = useDataset();
  const [text, setText] = useState("");
  const all = about.metadata.columns;
  const found = all.filter((column) => column.name.toLowerCase().includes(text.trim().toLowerCase()));
  return (
    <section className="tab-body" aria-label="Columns">
      {all.length > many && (
        <TextField
          label="Find a column"
          hideLabel
          placeholder={`Find one of ${count(all.length)} columns`}
          value={text}
          onChange={setText}
        />
      )}
      <div className="column-grid">
        {found.map((column) => (
          <Column key={column.name} column={column} />
        ))}
      </div>
    </section>
  );
}

function Column({ column }: { column: ColumnDescription }) {
  const { at, about } = useDataset();
  const [box, seen] = useSeen();
  const drawn = useQuery({ ...histogram(at, column.name, about.metadata.version), enabled: seen && about.metadata.rowCount > 0 });
  const description = about.metadata.schemaDefinition?.[column.name];
  const rows = about.metadata.rowCount;
  return (
    <article className="card column" ref={box}>
      <header className="row">
        <TypeIcon type={column.type} />
        <h2 className="grow ellipsis" title={column.name} dir="auto">
          {column.name}
        </h2>
        <span className="badge">{column.type}</span>
      </header>
      {description && (
        <p className="column-about" dir="auto">
          {description}
        </p>
      )}
      <div className="column-chart">
        {drawn.data ? (
          <Spread data={drawn.data} name={column.name} />
        ) : drawn.isError ? (
          <span className="quiet small">not counted</span>
        ) : null}
      </div>
      <dl className="facts">
        <div>
          <dt>Different</dt>
          <dd>
            {column.distinct > 1000 ? "about " : ""}
            {compact(column.distinct)}
          </dd>
        </div>
        <div>
          <dt>Without value</dt>
          <dd>{column.nulls === 0 ? "none" : `${compact(column.nulls)} (${percent(column.nulls, rows)})`}</dd>
        </div>
        {column.min !== undefined && (
          <div>
            <dt>Least</dt>
            <dd className="two-lines" title={column.min} dir="auto">
              {shownCell(column.min, column.type)}
            </dd>
          </div>
        )}
        {column.max !== undefined && (
          <div>
            <dt>Greatest</dt>
            <dd className="two-lines" title={column.max} dir="auto">
              {shownCell(column.max, column.type)}
            </dd>
          </div>
        )}
      </dl>
      {(column.widened?.length ?? 0) > 0 && <p className="quiet small">Was {column.widened!.map((one) => one.type).join(", ")} before.</p>}
    </article>
  );
}

function percent(part: number, whole: number): string {
  const share = whole > 0 ? part / whole : 1;
  return `${(share * 100).toFixed(share < 0.01 ? 2 : 0)} %`;
}

/** Small bars: how many values fall where, or the most frequent ones. */
function Spread({ data, name }: { data: Histogram; name: string }) {
  if (data.bins && data.bins.length > 0) {
    const most = Math.max(...data.bins.map((one) => one.count), 1);
    const reach = `from ${data.bins[0]!.from} to ${data.bins.at(-1)!.to}`;
    const label = `Histogram of ${name}: ${data.bins.length} bins ${reach}, at most ${count(most)} rows in one`;
    return (
      <svg className="spark" viewBox="0 0 100 32" preserveAspectRatio="none" role="img" aria-label={label}>
        {data.bins.map((one, i) => {
          const height = one.count === 0 ? 0 : Math.max(1, (one.count / most) * 31);
          return (
            <rect
              key={i}
              className="fill-0"
              x={(i * 100) / data.bins!.length + 0.25}
              width={100 / data.bins!.length - 0.5}
              y={32 - height}
              height={height}
            >
              <title>{`${one.from} to ${one.to}: ${count(one.count)}`}</title>
            </rect>
          );
        })}
      </svg>
    );
  }
  if (!data.values || data.values.length === 0) return null;
  const most = Math.max(...data.values.map((one) => one.count), 1);
  return (
    <ul className="top-values">
      {data.values.slice(0, 4).map((one) => (
        <li key={String(one.value)}>
          <span className="top-bar" style={{ width: `${Math.max(2, (one.count / most) * 100)}%` }} />
          <span className="ellipsis grow" dir="auto">
            {String(one.value) || "(empty)"}
          </span>
          <span className="count">{compact(one.count)}</span>
        </li>
      ))}
    </ul>
  );
}

/** Whether an element was seen yet: columns that nobody scrolls to are not counted. */
function useSeen() {
  const box = useRef<HTMLElement>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const watcher = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && setSeen(true), {
      rootMargin: "200px",
    });
    watcher.observe(box.current!);
    return () => watcher.disconnect();
  }, []);
  return [box, seen] as const;
}
