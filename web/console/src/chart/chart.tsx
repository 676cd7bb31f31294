import type { Chart as ChartChoice, Row } from "@quern/client";
import { useMemo, useState } from "react";
import { Button } from "../ui/button";
import { Icon } from "../ui/icon";
import { Menu } from "../ui/menu";
import { columnsOf, fileName, saveCSV } from "../screens/ask/rows";
import { Bars, Columns, Percent } from "./bars";
import { counted } from "../app/format";
import { Legend, told, useWidth } from "./frame";
import { Lines } from "./lines";
import { kindNames, kindOf, misfit, modelOf, ranked, type Kind, type Model } from "./model";
import { Heat, Histogram, Pie, Points } from "./points";
import { savePNG, saveSVG } from "./save";

interface Props {
  chart: ChartChoice;
  rows: Row[];
  name: string;
  /** Under which the reader's own choice of a kind is kept. */
  id: string;
}

/** Rows drawn as the server chose, or as the reader did. */
export default function Chart({ chart, rows, name, id }: Props) {
  const model = useMemo(() => modelOf(chart, rows), [chart, rows]);
  const chosen = kindOf(chart, model);
  const [own, setOwn] = useState<Kind | "">(() => (localStorage.getItem(`quern.chart.${id}`) as Kind | null) ?? "");
  const kind = own && !misfit(own, model) ? own : chosen;
  const drawn = useMemo(() => (kind === "bars" ? ranked(model) : model), [kind, model]);
  const { box, width } = useWidth();
  const choose = (next: Kind) => {
    setOwn(next === chosen ? "" : next);
    if (next === chosen) localStorage.removeItem(`quern.chart.${id}`);
    else localStorage.setItem(`quern.chart.${id}`, next);
  };
  const summary = summarise(name, kind, drawn, rows);
  const svg = () => box.current?.querySelector<SVGSVGElement>("svg.chart-svg") ?? null;
  return (
    <figure className="chart">
      <div className="chart-tools">
        <span className="chart-reason quiet">
          {kind === chosen
            ? chart.reason
            : `Drawn as ${kindNames[kind].toLowerCase()} as you chose; the rows suggest ${kindNames[chosen].toLowerCase()}.`}
        </span>
        <Menu
          label="Kind of chart"
          trigger={
            <Button size="s" kind="quiet" icon="chart">
              {kindNames[kind]}
            </Button>
          }
          entries={(Object.keys(kindNames) as Kind[]).map((one) => {
            const reason = misfit(one, model);
            return {
              id: one,
              name: kindNames[one],
              about: reason || (one === chosen ? "fits the rows best" : undefined),
              isDisabled: reason !== "",
              onAction: () => choose(one),
            };
          })}
        />
        <Menu
          label="Save the chart"
          trigger={<Button size="s" kind="quiet" icon="download" aria-label="Save the chart" />}
          entries={[
            {
              id: "png",
              name: "PNG",
              onAction: () => {
                const found = svg();
                if (found) void savePNG(found, fileName(name));
              },
            },
            {
              id: "svg",
              name: "SVG",
              onAction: () => {
                const found = svg();
                if (found) saveSVG(found, fileName(name));
              },
            },
            {
              id: "csv",
              name: "CSV",
              onAction: () =>
                saveCSV(
                  name,
                  columnsOf(rows).map((column) => column.name),
                  rows,
                ),
            },
          ]}
        />
      </div>
      <div ref={box} className="chart-space">
        {width > 0 && <Drawing kind={kind} model={drawn} width={width} label={summary} />}
      </div>
      {(kind === "line" || kind === "grouped" || kind === "stacked") && <Legend names={model.series.map((one) => one.name)} />}
      <figcaption className="visually-hidden">{summary}</figcaption>
      {drawn.left && (
        <p className="chart-left quiet">
          <Icon name="info" size={14} />
          {drawn.left}.
        </p>
      )}
    </figure>
  );
}

function Drawing({ kind, model, width, label }: { kind: Kind; model: Model; width: number; label: string }) {
  const props = { model, width, label };
  switch (kind) {
    case "line":
      return <Lines {...props} />;
    case "columns":
    case "grouped":
      return <Columns {...props} />;
    case "stacked":
      return <Columns {...props} stacked />;
    case "percent":
      return <Percent {...props} />;
    case "pie":
      return <Pie {...props} />;
    case "scatter":
      return <Points {...props} />;
    case "heat":
      return <Heat {...props} />;
    case "histogram":
      return <Histogram {...props} />;
    default:
      return <Bars {...props} />;
  }
}

/** The chart in a sentence or two, for who does not see it. */
function summarise(name: string, kind: Kind, model: Model, rows: Row[]): string {
  const first = model.series[0];
  const known = first?.values.flatMap((value, i) => (value === null ? [] : [{ value, label: model.labels[i]! }])) ?? [];
  const head = `${kindNames[kind]}: ${name}${/[.?!]$/.test(name) ? "" : "."}`;
  if (!first || known.length === 0) return `${head} ${counted(rows.length, "row")}.`;
  const top = known.reduce((a, b) => (b.value > a.value ? b : a));
  const low = known.reduce((a, b) => (b.value < a.value ? b : a));
  const end = ({ value, label }: { value: number; label: string }) => told(value, model.unit) + (model.x ? ` (${label})` : "");
  const values = `${counted(known.length, "value")} of ${first.name}`;
  return known.length === 1 ? `${head} ${values}: ${end(low)}.` : `${head} ${values}, from ${end(low)} to ${end(top)}.`;
}
