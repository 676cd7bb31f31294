import { bin, extent, max } from "d3-array";
import { scaleBand, scaleLinear } from "d3-scale";
import { arc, pie } from "d3-shape";
import { useState } from "react";
import { fit, Frame, tick, told, type Tip } from "./frame";
import type { Model } from "./model";

interface Props {
  model: Model;
  width: number;
  label: string;
}

const mostPoints = 5000;
const box = { top: 26, right: 16, bottom: 44, left: 56 };
const height = 320;

/** Two numbers against each other; very many as squares, darker where more of them are. */
export function Points({ model, width, label }: Props) {
  const [tip, setTip] = useState<Tip>();
  const { points } = model;
  const x = scaleLinear(extent(points, (point) => point.x) as [number, number], [box.left, width - box.right]).nice();
  const y = scaleLinear(extent(points, (point) => point.y) as [number, number], [height - box.bottom, box.top]).nice();
  return (
    <Frame width={width} height={height} label={label} tip={tip} onLeave={() => setTip(undefined)}>
      <Axes x={x} y={y} width={width} xName={model.x} yName={model.series[0]?.name} />
      {points.length > mostPoints ? (
        <Squares points={points} x={x} y={y} />
      ) : (
        points.map((point, i) => (
          <circle
            key={i}
            className="fill-0 chart-point"
            cx={x(point.x)}
            cy={y(point.y)}
            r={points.length > 400 ? 2.5 : 4}
            onPointerEnter={() =>
              setTip({
                x: x(point.x),
                y: y(point.y),
                title: point.label || `${tick(point.x)}, ${tick(point.y)}`,
                lines: [
                  { name: model.x, value: told(point.x) },
                  { name: model.series[0]?.name ?? "", value: told(point.y, model.unit) },
                ],
              })
            }
          />
        ))
      )}
    </Frame>
  );
}

type Scale = ReturnType<typeof scaleLinear<number, number>>;

function Axes({ x, y, width, xName, yName }: { x: Scale; y: Scale; width: number; xName: string; yName?: string }) {
  return (
    <>
      {y.ticks(5).map((value) => (
        <g key={value}>
          <line className="chart-rule" x1={box.left} x2={width - box.right} y1={y(value)} y2={y(value)} />
          <text className="chart-label" x={box.left - 8} y={y(value)} textAnchor="end" dominantBaseline="central">
            {tick(value)}
          </text>
        </g>
      ))}
      {x.ticks(Math.max(2, Math.floor(width / 100))).map((value) => (
        <text key={value} className="chart-label" x={x(value)} y={height - box.bottom + 16} textAnchor="middle">
          {tick(value)}
        </text>
      ))}
      <text className="chart-label" x={width - box.right} y={height - 2} textAnchor="end">
        {xName}
      </text>
      {yName && (
        <text className="chart-label" x={0} y={8} dominantBaseline="central">
          {fit(yName, width / 2)}
        </text>
      )}
    </>
  );
}

function Squares({ points, x, y }: { points: Model["points"]; x: Scale; y: Scale }) {
  const size = 12;
  const cells = new Map<string, number>();
  for (const point of points) {
    const key = `${Math.floor(x(point.x) / size)},${Math.floor(y(point.y) / size)}`;
    cells.set(key, (cells.get(key) ?? 0) + 1);
  }
  const most = max(cells.values()) ?? 1;
  return (
    <>
      {[...cells].map(([key, n]) => {
        const [cx, cy] = key.split(",").map(Number);
        return (
          <rect
            key={key}
            className="fill-0"
            x={cx! * size}
            y={cy! * size}
            width={size - 1}
            height={size - 1}
            opacity={0.15 + 0.85 * Math.sqrt(n / most)}
          >
            <title>{tick(n)}</title>
          </rect>
        );
      })}
    </>
  );
}

/** How many values fall where. */
export function Histogram({ model, width, label }: Props) {
  const [tip, setTip] = useState<Tip>();
  const bins = bin().thresholds(Math.min(40, Math.max(5, Math.floor(width / 24))))(model.numbers);
  const x = scaleLinear([bins[0]?.x0 ?? 0, bins.at(-1)?.x1 ?? 1], [box.left, width - box.right]);
  const y = scaleLinear([0, max(bins, (one) => one.length) ?? 1], [height - box.bottom, box.top]).nice(5);
  return (
    <Frame width={width} height={height} label={label} tip={tip} onLeave={() => setTip(undefined)}>
      <Axes x={x} y={y} width={width} xName={model.series[0]?.name ?? model.x} />
      {bins.map((one, i) => (
        <rect
          key={i}
          className="fill-0"
          x={x(one.x0!) + 0.5}
          width={Math.max(1, x(one.x1!) - x(one.x0!) - 1)}
          y={y(one.length)}
          height={y(0) - y(one.length)}
          rx={1}
          onPointerEnter={() =>
            setTip({
              x: x(one.x0!),
              y: y(one.length),
              title: `${tick(one.x0!)} to ${tick(one.x1!)}`,
              lines: [{ value: `${tick(one.length)} rows` }],
            })
          }
        />
      ))}
    </Frame>
  );
}

/** A value for every pair of two categories. */
export function Heat({ model, width, label }: Props) {
  const [tip, setTip] = useState<Tip>();
  const left = Math.min(width * 0.3, 140);
  const rowHeight = 26;
  const tall = model.labels.length * rowHeight + 30;
  const x = scaleBand(
    model.series.map((one) => one.name),
    [left, width],
  ).padding(0.04);
  const values = model.series.flatMap((one) => one.values).filter((value) => value !== null);
  const [low, high] = [Math.min(0, ...values), Math.max(...values)];
  return (
    <Frame width={width} height={tall} label={label} tip={tip} onLeave={() => setTip(undefined)}>
      {model.series.map((one) => (
        <text key={one.name} className="chart-label" x={x(one.name)! + x.bandwidth() / 2} y={16} textAnchor="middle">
          {fit(one.name, x.step())}
        </text>
      ))}
      {model.labels.map((name, i) => (
        <g key={name}>
          <text className="chart-label" x={left - 8} y={24 + i * rowHeight + rowHeight / 2} textAnchor="end" dominantBaseline="central">
            {fit(name, left - 12)}
          </text>
          {model.series.map((one) => {
            const value = one.values[i] ?? null;
            return (
              <rect
                key={one.name}
                className={value === null ? "chart-hole" : "fill-0"}
                x={x(one.name)}
                y={25 + i * rowHeight}
                width={x.bandwidth()}
                height={rowHeight - 2}
                rx={2}
                opacity={value === null ? 1 : 0.1 + (0.9 * (value - low)) / (high - low || 1)}
                onPointerEnter={() =>
                  setTip({ x: x(one.name)!, y: i * rowHeight, title: `${name}, ${one.name}`, lines: [{ value: told(value, model.unit) }] })
                }
              />
            );
          })}
        </g>
      ))}
    </Frame>
  );
}

/** The parts of a whole as slices, for those who want them. */
export function Pie({ model, width, label }: Props) {
  const values = model.series[0]?.values.map((value) => value ?? 0) ?? [];
  const whole = values.reduce((sum, value) => sum + value, 0) || 1;
  const radius = Math.min(width / 2, 130);
  const slices = pie<number>().sort(null)(values);
  const draw = arc<(typeof slices)[number]>()
    .innerRadius(radius * 0.55)
    .outerRadius(radius)
    .padAngle(0.012);
  return (
    <Frame width={width} height={radius * 2 + 16 + Math.ceil(model.labels.length) * 22} label={label}>
      <g transform={`translate(${width / 2} ${radius + 4})`}>
        {slices.map((slice, i) => (
          <path key={i} className={`fill-${i % 8}`} d={draw(slice) ?? ""} />
        ))}
      </g>
      {model.labels.map((name, i) => (
        <g key={name}>
          <rect className={`fill-${i % 8}`} x={width / 2 - 120} y={radius * 2 + 20 + i * 22} width={10} height={10} rx={2} />
          <text className="chart-label ink" x={width / 2 - 102} y={radius * 2 + 25 + i * 22} dominantBaseline="central">
            {fit(name, 150)}
          </text>
          <text
            className="chart-value"
            x={width / 2 + 120}
            y={radius * 2 + 25 + i * 22}
            textAnchor="end"
            dominantBaseline="central"
          >{`${((values[i]! / whole) * 100).toFixed(1)} %`}</text>
        </g>
      ))}
    </Frame>
  );
}
