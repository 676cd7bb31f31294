import { useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { format } from "d3-format";

const whole = format(",");
const si = format(".3~s");

/** A number on an axis. */
export function tick(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 10_000) return si(value).replace("G", "B");
  return size >= 1 ? whole(Math.round(value * 100) / 100) : String(Number(value.toPrecision(3)));
}

/** A number as it is told. */
export function told(value: number | null, unit?: string): string {
  if (value === null) return "unknown";
  const text = whole(Math.abs(value) >= 100 ? Math.round(value * 10) / 10 : Number(value.toPrecision(6)));
  return unit ? `${text} ${unit}` : text;
}

/** The width that there is for a chart. */
export function useWidth() {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const watcher = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)));
    watcher.observe(box.current!);
    return () => watcher.disconnect();
  }, []);
  return { box, width };
}

export interface Tip {
  x: number;
  y: number;
  title: string;
  lines: { name?: string; value: string; series?: number }[];
}

interface FrameProps {
  width: number;
  height: number;
  label: string;
  tip?: Tip;
  children: ReactNode;
  onLeave?: () => void;
}

/** An SVG with its name, and what is under the pointer. */
export function Frame({ width, height, label, tip, children, onLeave }: FrameProps) {
  return (
    <div className="chart-frame" onPointerLeave={onLeave}>
      <svg className="chart-svg" width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
        {children}
      </svg>
      {tip && (
        <div
          className="chart-tip"
          aria-hidden="true"
          style={{ left: Math.min(tip.x + 12, Math.max(0, width - 190)), top: Math.max(0, tip.y - 12) }}
        >
          <span className="chart-tip-title">{tip.title}</span>
          {tip.lines.map((line, i) => (
            <span key={i} className="chart-tip-line">
              {line.series !== undefined && <i className={`swatch fill-${line.series % 8}`} />}
              {line.name && <span className="grow ellipsis">{line.name}</span>}
              <b>{line.value}</b>
            </span>
          ))}
        </div>
      )}
    </div>
  );
}

export function Legend({ names }: { names: string[] }) {
  if (names.length < 2) return null;
  return (
    <ul className="legend">
      {names.map((name, i) => (
        <li key={name}>
          <i className={`swatch fill-${i % 8}`} />
          <span className="ellipsis">{name}</span>
        </li>
      ))}
    </ul>
  );
}

/** A text that fits into a width, cut where it must be. */
export function fit(text: string, width: number): string {
  const most = Math.max(3, Math.floor(width / 6.6));
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
