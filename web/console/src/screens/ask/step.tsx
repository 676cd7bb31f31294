import type { AnswerStep, Row } from "@quern/client";
import { lazy, Suspense, useMemo, useState } from "react";
import { client } from "../../api/client";
import { count } from "../../app/format";
import { useDraft } from "../../app/draft";
import { Button, IconButton } from "../../ui/button";
import { Choice } from "../../ui/field";
import { Grid, type GridColumn } from "../../ui/grid";
import { Icon } from "../../ui/icon";
import { Menu } from "../../ui/menu";
import { Loading, Note, errorText } from "../../ui/state";
import { copy } from "../../ui/toast";
import { columnsOf, saveCSV } from "./rows";
import { Words } from "./words";

const Chart = lazy(() => import("../../chart/chart"));

interface Props {
  step: AnswerStep;
  runId: string;
  owner: string;
  namespace: string;
  title?: string;
  /** Whether the answer above says already how it was read. */
  isSaid?: boolean;
  onAsk?: (question: string) => void;
}

interface Rerun {
  data: Row[];
  totalCount: number;
  truncated: boolean;
}

/** What a step found: how it was read, its rows as a chart and a table, its query. One row is no chart. */
export function StepResult({ step, runId, owner, namespace, title, isSaid, onAsk }: Props) {
  const [rerun, setRerun] = useState<Rerun>();
  const data = rerun?.data ?? step.data;
  const total = rerun ? rerun.totalCount : (step.totalCount ?? data.length);
  const drawable = !rerun && step.chart !== undefined && step.chart.kind !== "table" && data.length > 1;
  const reading = isSaid ? "" : step.reasoning;
  const [view, setView] = useState<string>(drawable ? "chart" : "table");
  const columns = useMemo(() => columnsOf(data), [data]);
  const name = step.instruction || "Rows";
  return (
    <section className="step card" aria-label={title ? `${title}: ${name}` : name}>
      {(title || reading || drawable) && (
        <header className="step-head">
          {(title || reading) && (
            <div className="step-about">
              {title && (
                <p className="step-title">
                  <span className="count">{title}</span>{" "}
                  <Words text={step.instruction} words={step.words} owner={owner} namespace={namespace} onAsk={onAsk} />
                </p>
              )}
              {reading && (
                <p className="reading" dir="auto">
                  {reading}
                </p>
              )}
            </div>
          )}
          {drawable && (
            <Choice
              label="Show as"
              hideLabel
              value={view}
              onChange={setView}
              options={[
                { id: "chart", name: "Chart" },
                { id: "table", name: "Table" },
              ]}
            />
          )}
        </header>
      )}
      <div className="step-body">
        {data.length === 0 && <p className="step-none quiet">No rows.</p>}
        {data.length > 0 && view === "chart" && drawable && (
          <Suspense
            fallback={
              <div className="chart-space">
                <Loading lines={5} label="Drawing" />
              </div>
            }
          >
            <Chart chart={step.chart!} rows={data} name={name} id={`${runId}-${step.index}`} />
          </Suspense>
        )}
        {data.length > 0 && (view === "table" || !drawable) && <ResultTable columns={columns} rows={data} name={name} />}
      </div>
      <footer className="step-foot">
        <span className="count">
          {data.length < total ? `${count(data.length)} of ${count(total)} rows` : `${count(total)} ${total === 1 ? "row" : "rows"}`}
        </span>
        <span className="grow" />
        <Menu
          label="Save"
          trigger={
            <Button size="s" kind="quiet" icon="download">
              Save
            </Button>
          }
          entries={[
            {
              id: "csv",
              name: "Rows as CSV",
              icon: "table",
              onAction: () =>
                saveCSV(
                  name,
                  columns.map((column) => column.name),
                  data,
                ),
              about: data.length < total ? `the ${count(data.length)} shown` : undefined,
            },
            { id: "copy", name: "Copy the query", icon: "copy", onAction: () => void copy(step.query, "Query") },
          ]}
        />
      </footer>
      <QueryFold
        step={step}
        id={`${runId}-${step.index}`}
        owner={owner}
        namespace={namespace}
        onRows={(next) => {
          setRerun(next);
          if (next) setView("table");
        }}
      />
    </section>
  );
}

function ResultTable({ columns, rows, name }: { columns: GridColumn[]; rows: Row[]; name: string }) {
  return <Grid label={name} columns={columns} count={rows.length} rowAt={(i) => rows[i]} maxRows={12} />;
}

/** The query: folded away, to be read, changed and run again. */
function QueryFold({
  step,
  id,
  owner,
  namespace,
  onRows,
}: {
  step: AnswerStep;
  id: string;
  owner: string;
  namespace: string;
  onRows: (rows: Rerun | undefined) => void;
}) {
  const [open, setOpen] = useState(false);
  const [text, setText] = useDraft(`query.${id}`, step.query);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const changed = text.trim() !== step.query.trim();
  const runIt = async () => {
    setBusy(true);
    setError("");
    try {
      const answer = await client.post("/query", { body: { username: owner, namespace, query: text, includeMetadata: false } });
      onRows({ data: answer.data, totalCount: answer.metadata.totalCount, truncated: answer.metadata.truncated });
    } catch (cause) {
      setError(errorText(cause));
    }
    setBusy(false);
  };
  const reset = () => {
    setText(step.query);
    setError("");
    onRows(undefined);
  };
  return (
    <div className="query">
      <button type="button" className="fold" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name={open ? "down" : "right"} size={12} />
        <Icon name="code" size={14} />
        Query{changed && <span className="badge accent">changed</span>}
      </button>
      {open && (
        <div className="query-body">
          <textarea
            className="query-text"
            aria-label="Query"
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
                event.preventDefault();
                void runIt();
              }
            }}
          />
          {error && <Note kind="bad">{error}</Note>}
          <div className="row">
            <Button size="s" kind="primary" icon="play" busy={busy} onPress={() => void runIt()}>
              Run
            </Button>
            {changed && (
              <Button size="s" kind="quiet" onPress={reset}>
                Back to the original
              </Button>
            )}
            <span className="grow" />
            <IconButton label="Copy the query" icon="copy" size="s" onPress={() => void copy(text, "Query")} />
          </div>
        </div>
      )}
    </div>
  );
}
