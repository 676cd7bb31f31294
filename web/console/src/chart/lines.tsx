import { bisector, extent, max, min } from "d3-array";
import { scaleLinear, scaleUtc } from "d3-scale";
import { line } from "d3-shape";
import { useState, type PointerEvent } from "react";
import { Frame, tick, told, type Tip } from "./frame";
import type { Model } from "./model";

const nearest = bisector((time: Date) => time).center;

const names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const beginsYear = (time: Date) => time.getUTCMonth() === 0 && beginsMonth(time);
const beginsMonth = (time: Date) => time.getUTCDate() === 1 && time.getUTCHours() === 0 && time.getUTCMinutes() === 0;

/** A time on an axis of several: the year where all of them begin one, else the month, the day, or the hour. */
function moment(time: Date, all: Date[]): string {
  const [year, month, hour, minute] = [time.getUTCFullYear(), names[time.getUTCMonth()]!, time.getUTCHours(), time.getUTCMinutes()];
  if (hour || minute) return `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
  if (!beginsMonth(time)) return `${time.getUTCDate()} ${month}`;
  if (all.every(beginsYear)) return String(year);
  const isOneYear = all.every((one) => one.getUTCFullYear() === year);
  return isOneYear || (time !== all[0] && !beginsYear(time)) ? month : `${month} ${year}`;
}

/** Lines over time. */
export function Lines({ model, width, label }: { model: Model; width: number; label: string }) {
  const [at, setAt] = useState<number>();
  const times = model.times!;
  const height = 300;
  const box = { top: 12, right: 24, bottom: 34, left: 56 };
  const values = model.series.flatMap((one) => one.values).filter((value) => value !== null);
  const low = min(values) ?? 0;
  const high = max(values) ?? 1;
  // From zero, unless all that happens would be a flat line far above it.
  const floor = low > 0 && (high - low) / high < 0.3 ? low - (high - low) * 0.2 : Math.min(0, low);
  const y = scaleLinear([floor, high], [height - box.bottom, box.top]).nice(5);
  const x = scaleUtc(extent(times) as [Date, Date], [box.left, width - box.right]);
  // Between years there is nothing to name.
  const isYearly = times.every(beginsYear);
  const ticks = x.ticks(Math.max(2, Math.floor(width / 110))).filter((time) => !isYearly || beginsYear(time));
  const move = (event: PointerEvent<SVGRectElement>) => {
    const bounds = event.currentTarget.getBoundingClientRect();
    setAt(nearest(times, x.invert(event.clientX - bounds.left + box.left)));
  };
  const tip: Tip | undefined =
    at === undefined
      ? undefined
      : {
          x: x(times[at]!),
          y: 20,
          title: model.labels[at]!.replace(/T00:00(:00)?Z?$/, ""),
          lines: model.series.map((one, s) => ({
            name: model.series.length > 1 ? one.name : undefined,
            value: told(one.values[at] ?? null, model.unit),
            series: model.series.length > 1 ? s : undefined,
          })),
        };
  return (
    <Frame width={width} height={height} label={label} tip={tip} onLeave={() => setAt(undefined)}>
      {y.ticks(5).map((value) => (
        <g key={value}>
          <line className={value === 0 ? "chart-axis" : "chart-rule"} x1={box.left} x2={width - box.right} y1={y(value)} y2={y(value)} />
          <text className="chart-label" x={box.left - 8} y={y(value)} textAnchor="end" dominantBaseline="central">
            {tick(value)}
          </text>
        </g>
      ))}
      {ticks.map((time) => (
        <text key={time.getTime()} className="chart-label" x={x(time)} y={height - box.bottom + 18} textAnchor="middle">
          {moment(time, ticks)}
        </text>
      ))}
      {at !== undefined && <line className="chart-cursor" x1={x(times[at]!)} x2={x(times[at]!)} y1={box.top} y2={height - box.bottom} />}
      {model.series.map((one, s) => {
        const path =
          line<number | null>(
            (_, i) => x(times[i]!),
            (value) => y(value ?? 0),
          ).defined((value) => value !== null)(one.values) ?? "";
        return (
          <g key={one.name}>
            <path className={`chart-line stroke-${s % 8}`} d={path} />
            {times.length <= 40 &&
              one.values.map(
                (value, i) =>
                  value !== null && <circle key={i} className={`fill-${s % 8}`} cx={x(times[i]!)} cy={y(value)} r={at === i ? 4 : 2.5} />,
              )}
          </g>
        );
      })}
      <rect
        x={box.left}
        y={0}
        width={Math.max(0, width - box.left - box.right)}
        height={height - box.bottom}
        fill="transparent"
        onPointerMove={move}
      />
    </Frame>
  );
}
