import type { ColumnOption, IngestFilesRequest, PreviewTable } from "@quern/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../../api/client";
import { datasets, me, ownNamespaces, spaces } from "../../api/queries";
import { count, counted } from "../../app/format";
import { Button } from "../../ui/button";
import { Choice, Select, TextField } from "../../ui/field";
import { Icon } from "../../ui/icon";
import { errorText, Failure, Loading, Note } from "../../ui/state";
import { Following } from "./following";
import { TablePreview } from "./table";
import { watch } from "./watch";

interface Props {
  sessionId: string;
  names: string[];
  to: string | undefined;
  onLeave: () => void;
}

interface Target {
  owner: string;
  namespace: string;
  dataset: string;
}

const validName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

function nameOf(file: string): string {
  return file.replace(/(\.[A-Za-z0-9]{1,8}){1,2}$/, "").replace(/[^A-Za-z0-9_-]+/g, "_").replace(/^[_-]+|[_-]+$/g, "").slice(0, 64).toLowerCase() || "data";
}

/** Looks at what files would become, lets it be put right, and stores it. */
export function Preview({ sessionId, names, to, onLeave }: Props) {
  const user = useQuery(me);
  const [owner = "", namespace = "", dataset = ""] = to?.split("/") ?? [];
  const [ingestion, setIngestion] = useState("");
  if (!user.data) return <Loading lines={4} />;
  const start = { owner: owner || user.data.username, namespace, dataset: dataset || nameOf(names[0] ?? "data") };
  if (ingestion) return <Following id={ingestion} onMore={onLeave} />;
  return <Looking sessionId={sessionId} start={start} fixed={dataset !== ""} onStarted={(id) => { watch(id); setIngestion(id); }} />;
}

function Looking({ sessionId, start, fixed, onStarted }: { sessionId: string; start: Target; fixed: boolean; onStarted: (id: string) => void }) {
  const all = useQuery(datasets);
  const [target, setTarget] = useState(start);
  const [columns, setColumns] = useState<Record<string, ColumnOption>>({});
  const [mode, setMode] = useState<"append" | "replace">("append");
  const [header, setHeader] = useState("auto");
  const [onError, setOnError] = useState<"fail" | "quarantine">("quarantine");
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const ready = validName.test(target.namespace) && validName.test(target.dataset);
  const exists = (all.data ?? []).some((entry) => entry.owner === target.owner && same(entry.namespace, target.namespace) && same(entry.name, target.dataset));
  const body: IngestFilesRequest = { sessionId, mode: exists ? mode : "append", onError, columns, ...(header === "auto" ? {} : { header: header === "yes" }) };
  const path = { username: target.owner, namespace: ready ? target.namespace : "preview", datasetName: ready ? target.dataset : "preview" };
  const seen = useQuery({
    queryKey: ["preview", path, body],
    queryFn: ({ signal }) => client.post("/data/{username}/{namespace}/{datasetName}/ingest/preview", { path, body, signal }),
    placeholderData: keepPreviousData, staleTime: 60_000,
  });
  const ingest = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const started = await client.post("/data/{username}/{namespace}/{datasetName}/ingest", { path, body });
      onStarted(started.id);
    } catch (cause) {
      setError(cause);
    }
    setBusy(false);
  };
  const change = (name: string, option: ColumnOption | undefined) => setColumns((now) => {
    const next = { ...now };
    delete next[name];
    return option ? { ...next, [name]: option } : next;
  });
  const rejected = seen.data?.tables.reduce((sum, table) => sum + table.rejectedRows, 0) ?? 0;
  return (
    <div className="stack loose">
      <TargetForm target={target} fixed={fixed} exists={exists} mode={mode} onMode={setMode} onChange={setTarget} />
      <section className="stack" aria-label="What it becomes" aria-busy={seen.isFetching}>
        <div className="section-head">
          <h2>What it becomes {seen.isFetching && <span className="spinner" />}</h2>
          <div className="row wrap">
            <Choice label="First row" hideLabel value={header} onChange={setHeader} options={[{ id: "auto", name: "Find the header" }, { id: "yes", name: "First row is it" }, { id: "no", name: "There is none" }]} />
          </div>
        </div>
        {seen.isPending && <Loading lines={6} label="Looking at the files" />}
        {seen.isError && <Failure error={seen.error} retry={() => void seen.refetch()} />}
        {seen.data && !seen.isError && <Tables tables={seen.data.tables} complete={seen.data.complete} columns={columns} onChange={change} />}
      </section>
      {seen.data && (
        <div className="card pad stack">
          <Choice label="Rows that cannot be read" value={onError} onChange={(id) => setOnError(id as "fail" | "quarantine")} options={[{ id: "quarantine", name: "Set aside and listed" }, { id: "fail", name: "Stop, store nothing" }]} />
          {rejected > 0 && <Note kind="warn">{counted(rejected, "row")} of those looked at cannot be read as they are.</Note>}
          {error !== undefined && <Note kind="bad">{errorText(error)}</Note>}
          <div className="row between wrap">
            <span className="quiet">{ready ? <>Goes into <strong>{target.namespace} / {target.dataset}</strong>{exists ? (mode === "replace" ? ", in place of all its rows" : ", beside its rows") : ", which is made"}.</> : "Say where it goes first."}</span>
            <Button kind="primary" icon="check" busy={busy} isDisabled={!ready || seen.isError || seen.data.tables.length === 0} onPress={() => void ingest()}>{exists && mode === "replace" ? "Replace the rows" : "Store the rows"}</Button>
          </div>
        </div>
      )}
    </div>
  );
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function Tables({ tables, complete, columns, onChange }: { tables: PreviewTable[]; complete: boolean; columns: Record<string, ColumnOption>; onChange: (name: string, option: ColumnOption | undefined) => void }) {
  if (tables.length === 0) return <Note kind="warn">No table was found in these files.</Note>;
  return (
    <>
      {!complete && <p className="quiet small">Only the beginning was looked at; all rows decide when it is stored.</p>}
      {tables.length > 1 && <Note kind="info">{count(tables.length)} tables were found. They go into the one dataset: columns of the same name are the same column.</Note>}
      {tables.map((table, i) => <TablePreview key={i} table={table} options={columns} onChange={onChange} />)}
    </>
  );
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
  const wrong = (text: string) => (text === "" || validName.test(text) ? undefined : "letters, digits, _ and -, beginning with a letter or digit");
  return (
    <section className="card pad stack" aria-label="Where it goes">
      {fixed ? <p>Rows for <strong>{target.owner} / {target.namespace} / {target.dataset}</strong> <Button size="s" kind="quiet" onPress={() => void navigate({ to: ".", search: (now) => ({ ...now, to: undefined }) })}>elsewhere</Button></p> : (
        <div className="target">
          {making
            ? <TextField label="Namespace" value={target.namespace} autoFocus onChange={(namespace) => onChange({ ...target, namespace })} placeholder="such as sales" error={wrong(target.namespace)} hint={mine.length > 0 && !fresh ? undefined : "A group of datasets that belong together; it is made with its first one."} />
            : <Select label="Namespace" value={target.namespace} onChange={(id) => (id === " " ? setFresh(true) : onChange({ ...target, namespace: id }))} placeholder="Choose one"
                options={[...mine.map((space) => ({ id: space.name, name: space.name })), { id: " ", name: "A new one…" }]} />}
          <span className="target-line"><Icon name="right" size={14} /></span>
          <TextField label="Dataset" value={target.dataset} onChange={(dataset) => onChange({ ...target, dataset })} error={wrong(target.dataset)} />
        </div>
      )}
      {exists && <Choice label="The dataset is there already" value={mode} onChange={(id) => onMode(id as "append" | "replace")} options={[{ id: "append", name: "Add the rows" }, { id: "replace", name: "Replace all its rows" }]} />}
    </section>
  );
}
