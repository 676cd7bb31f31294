import { max, min } from "d3-array";
import { scaleBand, scaleLinear } from "d3-scale";
import { useState } from "react";
import { fit, Frame, tick, told, type Tip } from "./frame";
import type { Model } from "./model";

interface Props {
  model: Model;
  width: number;
  label: string;
}

function extent(values: (number | null)[]): [number, number] {
  const known = values.filter((value) => value !== null);
  return [Math.min(0, min(known) ?? 0), Math.max(0, max(known) ?? 1)];
}

/** Horizontal bars from zero, in the order of the labels. */
export function Bars({ model, width, label }: Props) {
  const [tip, setTip] = useState<Tip>();
  const values = model.series[0]?.values ?? [];
  const left = Math.min(width * 0.38, Math.max(60, (max(model.labels, (one) => one.length) ?? 8) * 6.6 + 12));
  const right = 74;
  const step = 28;
  const height = model.labels.length * step + 8;
  const x = scaleLinear(extent(values), [left, Math.max(left + 20, width - right)]);
  return (
    <Frame width={width} height={height} label={label} tip={tip} onLeave={() => setTip(undefined)}>
      {model.labels.map((name, i) => {
        const value = values[i] ?? null;
        const y = i * step + 4;
        const [from, to] = [x(Math.min(0, value ?? 0)), x(Math.max(0, value ?? 0))];
        return (
          <g key={name} onPointerMove={() => setTip({ x: to, y, title: name, lines: [{ value: told(value, model.unit) }] })}>
            <rect x={0} y={y - 2} width={width} height={step} fill="transparent" />
            <text className="chart-label" x={left - 8} y={y + step / 2} textAnchor="end" dominantBaseline="central">
              {fit(name, left - 12)}
            </text>
            <rect className="fill-0" x={from} y={y + 3} width={Math.max(1, to - from)} height={step - 9} rx={2} />
            <text className="chart-value" x={to + 6} y={y + step / 2} dominantBaseline="central">
              {value === null ? "unknown" : tick(value)}
            </text>
          </g>
        );
      })}
      <line className="chart-axis" x1={x(0)} x2={x(0)} y1={0} y2={height} />
    </Frame>
  );
}

/** Upright bars in the order of the calendar; several series beside each other, or on top of each other. */
export function Columns({ model, width, label, stacked }: Props & { stacked?: boolean }) {
  const [tip, setTip] = useState<Tip>();
  const height = 300;
  const box = { top: 12, right: 12, bottom: 34, left: 56 };
  const sums = model.labels.map((_, i) => model.series.reduce((sum, one) => sum + (one.values[i] ?? 0), 0));
  const [low, high] = extent(stacked ? sums : model.series.flatMap((one) => one.values));
  const y = scaleLinear([low, high], [height - box.bottom, box.top]).nice(5);
  const x = scaleBand(model.labels, [box.left, width - box.right]).padding(0.25);
  const inner = scaleBand(
    model.series.map((one) => one.name),
    [0, x.bandwidth()],
  ).padding(model.series.length > 1 ? 0.08 : 0);
  const every = Math.ceil(model.labels.length / Math.max(1, Math.floor((width - box.left) / 74)));
  return (
    <Frame width={width} height={height} label={label} tip={tip} onLeave={() => setTip(undefined)}>
      {y.ticks(5).map((value) => (
        <g key={value}>
          <line className={value === 0 ? "chart-axis" : "chart-rule"} x1={box.left} x2={width - box.right} y1={y(value)} y2={y(value)} />
          <text className="chart-label" x={box.left - 8} y={y(value)} textAnchor="end" dominantBaseline="central">
            {tick(value)}
          </text>
        </g>
      ))}
      {model.labels.map((name, i) => {
        let base = 0;
        const lines = model.series.map((one, s) => ({
          name: model.series.length > 1 ? one.name : undefined,
          value: told(one.values[i] ?? null, model.unit),
          series: model.series.length > 1 ? s : undefined,
        }));
        return (
          <g key={name} onPointerMove={() => setTip({ x: x(name)! + x.bandwidth() / 2, y: 20, title: name, lines })}>
            <rect x={x(name)} y={box.top} width={x.bandwidth()} height={height - box.top - box.bottom} fill="transparent" />
            {model.series.map((one, s) => {
              const value = one.values[i];
              if (value === null || value === undefined) return null;
              const [from, to] = stacked ? [base, (base += value)] : [0, value];
              return (
                <rect
                  key={one.name}
                  className={`fill-${s % 8}`}
                  x={x(name)! + (stacked ? 0 : inner(one.name)!)}
                  width={Math.max(1, stacked ? x.bandwidth() : inner.bandwidth())}
                  y={y(Math.max(from, to))}
                  height={Math.max(1, Math.abs(y(from) - y(to)))}
                  rx={stacked ? 0 : 2}
                />
              );
            })}
            {i % every === 0 && (
              <text className="chart-label" x={x(name)! + x.bandwidth() / 2} y={height - box.bottom + 18} textAnchor="middle">
                {fit(name, Math.max(60, x.step() * every))}
              </text>
            )}
          </g>
        );
      })}
    </Frame>
  );
}

/** The parts of a whole as one bar, with the share of each. */
export function Percent({ model, width, label }: Props) {
  const values = model.series[0]?.values.map((value) => value ?? 0) ?? [];
  const whole = values.reduce((sum, value) => sum + value, 0) || 1;
  let at = 0;
  const height = 44 + model.labels.length * 26;
  return (
    <Frame width={width} height={height} label={label}>
      {values.map((value, i) => {
        const from = at;
        at += (value / whole) * width;
        return <rect key={i} className={`fill-${i % 8}`} x={from} y={0} width={Math.max(0, at - from - 2)} height={26} rx={3} />;
      })}
      {model.labels.map((name, i) => (
        <g key={name}>
          <rect className={`fill-${i % 8}`} x={0} y={47 + i * 26} width={10} height={10} rx={2} />
          <text className="chart-label ink" x={18} y={52 + i * 26} dominantBaseline="central">
            {fit(name, width - 190)}
          </text>
          <text className="chart-value" x={width - 92} y={52 + i * 26} textAnchor="end" dominantBaseline="central">
            {told(values[i]!, model.unit)}
          </text>
          <text
            className="chart-value"
            x={width - 2}
            y={52 + i * 26}
            textAnchor="end"
            dominantBaseline="central"
          >{`${((values[i]! / whole) * 100).toFixed(1)} %`}</text>
        </g>
      ))}
    </Frame>
  );
}
