import type { ColumnOption, IngestFilesRequest, PreviewTable } from "@quern/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../../api/client";
import { datasets, me, ownNamespaces, spaces } from "../../api/queries";
import { useDraft } from "../../app/draft";
import { counted } from "../../app/format";
import { Button } from "../../ui/button";
import { Choice, Select, TextField } from "../../ui/field";
import { Icon } from "../../ui/icon";
import { errorText, Failure, Loading, Note } from "../../ui/state";
import { TablePreview } from "./table";
import { watch } from "./watch";

interface Props {
  sessionId: string;
  names: string[];
  to: string | undefined;
}

interface Target {
  owner: string;
  namespace: string;
  dataset: string;
}

const validName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

function nameOf(file: string): string {
  return (
    file
      .replace(/(\.[A-Za-z0-9]{1,8}){1,2}$/, "")
      .replace(/[^A-Za-z0-9_-]+/g, "_")
      .replace(/^[_-]+|[_-]+$/g, "")
      .slice(0, 64)
      .toLowerCase() || "data"
  );
}

/** What was chosen so far; it survives a reload. */
interface Choices {
  target: Target;
  columns: Record<string, ColumnOption>;
  mode: "append" | "replace";
  header: string;
  into: string;
  onError: "fail" | "quarantine";
}

/** Looks at what files would become, lets it be put right, and stores it. */
export function Preview({ sessionId, names, to }: Props) {
  const user = useQuery(me);
  const [owner = "", namespace = "", dataset = ""] = to?.split("/") ?? [];
  if (!user.data) return <Loading lines={4} />;
  const target = { owner: owner || user.data.username, namespace, dataset: dataset || nameOf(names[0] ?? "data") };
  const start: Choices = { target, columns: {}, mode: "append", header: "auto", into: "auto", onError: "quarantine" };
  return <Looking sessionId={sessionId} start={start} fixed={dataset !== ""} />;
}

function requestOf(sessionId: string, { columns, mode, header, into, onError }: Choices, exists: boolean): IngestFilesRequest {
  return {
    sessionId,
    onError,
    columns,
    mode: exists ? mode : "append",
    ...(header === "auto" ? {} : { header: header === "yes" }),
    ...(into === "auto" ? {} : { into: into as "one" | "each" }),
  };
}

function Looking({ sessionId, start, fixed }: { sessionId: string; start: Choices; fixed: boolean }) {
  const all = useQuery(datasets);
  const navigate = useNavigate();
  const [kept, keep, clear] = useDraft(`preview.${sessionId}.${fixed}`, JSON.stringify(start));
  const choices = { ...start, ...(JSON.parse(kept || "{}") as Partial<Choices>) };
  const set = (part: Partial<Choices>) => keep(JSON.stringify({ ...choices, ...part }));
  const { target, mode, columns, header, into, onError } = choices;
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const ready = validName.test(target.namespace) && validName.test(target.dataset);
  const exists = (all.data ?? []).some(
    (entry) => entry.owner === target.owner && same(entry.namespace, target.namespace) && same(entry.name, target.dataset),
  );
  const body = requestOf(sessionId, choices, exists);
  const path = {
    username: target.owner,
    namespace: validName.test(target.namespace) ? target.namespace : "preview",
    datasetName: validName.test(target.dataset) ? target.dataset : "preview",
  };
  const seen = useQuery({
    queryKey: ["preview", path, body],
    queryFn: ({ signal }) => client.post("/data/{username}/{namespace}/{datasetName}/ingest/preview", { path, body, signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  const ingest = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const started = await client.post("/data/{username}/{namespace}/{datasetName}/ingest", { path, body });
      watch(started.id);
      clear();
      await navigate({ to: "/upload", search: { ingestion: started.id }, replace: true });
    } catch (cause) {
      setError(cause);
    }
    setBusy(false);
  };
  const change = (name: string, option: ColumnOption | undefined) => {
    const { [name]: _, ...others } = columns;
    set({ columns: option ? { ...others, [name]: option } : others });
  };
  const tables = seen.data?.tables ?? [];
  // Of what is no table nothing can be said, but what was said of its header can be taken back.
  const isTable = !seen.isError && tables.some((table) => table.columns.length > 0);
  const rejected = tables.reduce((sum, table) => sum + table.rejectedRows, 0);
  return (
    <div className="stack loose">
      <TargetForm
        target={target}
        fixed={fixed}
        exists={exists}
        mode={mode}
        onMode={(next) => set({ mode: next })}
        onChange={(next) => set({ target: next })}
      />
      <section className="stack" aria-label="What it becomes" aria-busy={seen.isFetching}>
        {(seen.isPending || isTable || header !== "auto") && (
          <div className="section-head">
            <h2>What it becomes {seen.isFetching && <span className="spinner" />}</h2>
            <Choice
              label="First row"
              hideLabel
              value={header}
              onChange={(id) => set({ header: id })}
              options={[
                { id: "auto", name: "Find the header" },
                { id: "yes", name: "First row is it" },
                { id: "no", name: "There is none" },
              ]}
            />
          </div>
        )}
        {seen.isPending && <Loading lines={6} label="Looking at the files" />}
        {seen.isError && (
          <Failure error={seen.error} retry={() => void seen.refetch()}>
            <Button icon="upload" onPress={() => void navigate({ to: "/upload", search: {} })}>
              Choose other files
            </Button>
          </Failure>
        )}
        {seen.data && !seen.isError && !seen.data.complete && (
          <p className="quiet small">Only the beginning was looked at; all rows decide when it is stored.</p>
        )}
        {seen.data && !seen.isError && tables.length === 0 && <Note kind="warn">No table was found in these files.</Note>}
        {seen.data && !seen.isError && (tables.length > 1 || into !== "auto") && (
          <Several tables={tables} into={into} onInto={(id) => set({ into: id })} />
        )}
        {!seen.isError &&
          tables.map((table, i) => (
            <TablePreview key={i} table={table} options={columns} onChange={change} named={intoNames(tables).length > 1} />
          ))}
      </section>
      {seen.data && (
        <div className="card pad stack">
          <Choice
            label="Rows that cannot be read"
            value={onError}
            onChange={(id) => set({ onError: id as Choices["onError"] })}
            options={[
              { id: "quarantine", name: "Set aside and listed" },
              { id: "fail", name: "Stop, store nothing" },
            ]}
          />
          {rejected > 0 && <Note kind="warn">{counted(rejected, "row")} of those looked at cannot be read as they are.</Note>}
          {error !== undefined && <Note kind="bad">{errorText(error)}</Note>}
          <div className="row between wrap">
            <span className="quiet">
              {ready ? <Goes target={target} exists={exists} mode={mode} tables={tables} /> : "Say where it goes first."}
            </span>
            <Button
              kind="primary"
              icon="check"
              busy={busy}
              isDisabled={!ready || seen.isError || tables.length === 0}
              onPress={() => void ingest()}
            >
              {exists && mode === "replace" ? "Replace the rows" : "Store the rows"}
            </Button>
          </div>
        </div>
      )}
    </div>
  );
}

/** The names of the datasets that tables go into. */
function intoNames(tables: PreviewTable[]): string[] {
  return [...new Set(tables.flatMap((table) => table.dataset ?? []))];
}

function Goes({ target, exists, mode, tables }: { target: Target; exists: boolean; mode: string; tables: PreviewTable[] }) {
  const others = intoNames(tables).filter((name) => !same(name, target.dataset));
  const how = exists ? (mode === "replace" ? ", in place of all its rows" : ", beside its rows") : ", which is made";
  return (
    <>
      Goes into{" "}
      <strong>
        {target.namespace} / {target.dataset}
      </strong>
      {how}
      {others.length > 0 && (
        <>
          , and into <strong>{others.join(", ")}</strong>
        </>
      )}
      .
    </>
  );
}

/** What becomes of several tables: one dataset, or one for each shape. */
function Several({ tables, into, onInto }: { tables: PreviewTable[]; into: string; onInto: (id: string) => void }) {
  const names = intoNames(tables);
  return (
    <Note
      kind="info"
      actions={
        <Choice
          label="Tables"
          hideLabel
          value={into}
          onChange={onInto}
          options={[
            { id: "auto", name: "By shape" },
            { id: "each", name: "One each" },
            { id: "one", name: "All in one" },
          ]}
        />
      }
    >
      {counted(tables.length, "table")} {tables.length === 1 ? "was" : "were"} found.
      {names.length > 1
        ? ` They become ${counted(names.length, "dataset")}: ${names.join(", ")}.`
        : " They go into one dataset: columns of the same name are the same column."}
    </Note>
  );
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

interface TargetProps {
  target: Target;
  fixed: boolean;
  exists: boolean;
  mode: "append" | "replace";
  onMode: (mode: "append" | "replace") => void;
  onChange: (target: Target) => void;
}

function TargetForm({ target, fixed, exists, mode, onMode, onChange }: TargetProps) {
  const navigate = useNavigate();
  const user = useQuery(me);
  const all = useQuery(datasets);
  const own = useQuery(ownNamespaces);
  const mine = spaces(all.data ?? [], own.data ?? [], user.data?.username ?? "").filter((space) => space.mine);
  const known = mine.some((space) => space.name === target.namespace);
  const [fresh, setFresh] = useState(false);
  const making = fresh || (!known && target.namespace !== "") || (own.data !== undefined && mine.length === 0);
  const wrong = (text: string) =>
    text === "" || validName.test(text) ? undefined : "letters, digits, _ and -, beginning with a letter or digit";
  return (
    <section className="card pad stack" aria-label="Where it goes">
      {fixed ? (
        <p>
          Rows for{" "}
          <strong>
            {target.owner} / {target.namespace} / {target.dataset}
          </strong>{" "}
          <Button size="s" kind="quiet" onPress={() => void navigate({ to: ".", search: (now) => ({ ...now, to: undefined }) })}>
            elsewhere
          </Button>
        </p>
      ) : (
        <div className="target">
          {making ? (
            <TextField
              label="Namespace"
              value={target.namespace}
              autoFocus
              onChange={(namespace) => onChange({ ...target, namespace })}
              placeholder="such as sales"
              error={wrong(target.namespace)}
              hint={mine.length > 0 && !fresh ? undefined : "A group of datasets that belong together; it is made with its first one."}
            />
          ) : (
            <Select
              label="Namespace"
              value={target.namespace}
              onChange={(id) => (id === " " ? setFresh(true) : onChange({ ...target, namespace: id }))}
              placeholder="Choose one"
              options={[...mine.map((space) => ({ id: space.name, name: space.name })), { id: " ", name: "A new one…" }]}
            />
          )}
          <span className="target-line">
            <Icon name="right" size={14} />
          </span>
          <TextField
            label="Dataset"
            value={target.dataset}
            onChange={(dataset) => onChange({ ...target, dataset })}
            error={wrong(target.dataset)}
          />
        </div>
      )}
      {exists && (
        <Choice
          label="The dataset is there already"
          value={mode}
          onChange={(id) => onMode(id as "append" | "replace")}
          options={[
            { id: "append", name: "Add the rows" },
            { id: "replace", name: "Replace all its rows" },
          ]}
        />
      )}
    </section>
  );
}
