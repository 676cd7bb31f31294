import type { Ingestion } from "@quern/client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../api/client";
import { ingestions, queries } from "../../api/queries";
import { ago, bytes, count, counted } from "../../app/format";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icon";
import { Empty, errorText, Failure, Loading, Note } from "../../ui/state";
import { toast } from "../../ui/toast";
import { Rejected } from "../upload/rejected";
import { useDataset } from "./dataset";

/** What was brought into the dataset, when, and what of it could not be read. */
export function Ingestions() {
  const { at } = useDataset();
  const found = useQuery({ ...ingestions(at), refetchInterval: (query) => (query.state.data?.data.some(isOpen) ? 1500 : false) });
  if (found.isError) return <Failure error={found.error} retry={() => void found.refetch()} />;
  if (!found.data) return <Loading lines={6} />;
  if (found.data.data.length === 0) return <Empty icon="upload" title="Nothing was brought in yet" />;
  return (
    <section className="tab-body narrow" aria-label="Ingestions">
      {found.data.data.map((one) => (
        <Attempt key={one.id} one={one} />
      ))}
      {found.data.metadata.beforeCreatedAt && (
        <p className="quiet small">The latest {counted(found.data.data.length, "ingestion")} are shown.</p>
      )}
    </section>
  );
}

function isOpen(one: Ingestion): boolean {
  return one.status === "pending" || one.status === "processing";
}

function Attempt({ one }: { one: Ingestion }) {
  const { at, about } = useDataset();
  const [open, setOpen] = useState(false);
  const kind = { completed: "good", failed: "bad", processing: "accent", pending: "" }[one.status];
  const { attributes } = one;
  const act = async (verb: "retry" | "cancel") => {
    try {
      await client.post(`/ingestionTracking/{ingestionId}/${verb}`, { path: { ingestionId: one.id } });
      await queries.invalidateQueries({ queryKey: ["ingestions", at.username, at.namespace, at.datasetName] });
    } catch (cause) {
      toast(errorText(cause), "bad");
    }
  };
  const title = attributes.name || attributes.files.map((file) => file.filename).join(", ") || "Rows from the API";
  return (
    <article className="card attempt">
      <header className="row wrap">
        <Icon name={attributes.files.length > 0 ? "file" : "code"} />
        <h2 className="grow wrap-anywhere" dir="auto">
          {title}
        </h2>
        <span className={`badge ${kind}`}>{one.aborted ? "cancelled" : one.status}</span>
        <span className="count">{ago(attributes.createdAt)}</span>
      </header>
      <p className="quiet num">
        {counted(one.processedRows, "row")}
        {one.expectedTotalBytes > 0 && `, ${bytes(one.expectedTotalBytes)}`}
        {attributes.attempt > 1 && `, attempt ${attributes.attempt}`}
      </p>
      {isOpen(one) && one.expectedTotalBytes > 0 && (
        <div
          className="progress"
          role="progressbar"
          aria-label={title}
          aria-valuenow={Math.round((one.processedBytes / one.expectedTotalBytes) * 100)}
        >
          <span style={{ width: `${(one.processedBytes / one.expectedTotalBytes) * 100}%` }} />
        </div>
      )}
      {one.statusMessage && <Note kind={one.status === "failed" ? "bad" : "info"}>{one.statusMessage}</Note>}
      {attributes.rejectedRows > 0 && (
        <Note
          kind="warn"
          actions={
            <Button size="s" onPress={() => setOpen(!open)}>
              {open ? "Hide" : "Show"}
            </Button>
          }
        >
          {counted(attributes.rejectedRows, "row")} could not be read.
        </Note>
      )}
      {open && <Rejected id={one.id} total={attributes.rejectedRows} />}
      {attributes.tables.length > 0 && (
        <details className="attempt-tables">
          <summary>How it was read</summary>
          {attributes.tables.map((table, i) => (
            <div key={i} className="stack tight">
              <p>
                <strong className="wrap-anywhere">
                  {table.filename}
                  {table.member ? ` › ${table.member}` : ""}
                </strong>{" "}
                <span className="quiet">
                  {[table.format, table.detail].filter(Boolean).join(", ")}; {count(table.rows)} rows
                </span>
              </p>
              {table.notes.map((note) => (
                <p key={note} className="quiet small">
                  {note}
                </p>
              ))}
            </div>
          ))}
        </details>
      )}
      {about.dataset.role !== "viewer" && (isOpen(one) || one.status === "failed") && (
        <div className="row end">
          {isOpen(one) ? (
            <Button size="s" icon="stop" onPress={() => void act("cancel")}>
              Cancel
            </Button>
          ) : (
            attributes.files.length > 0 && (
              <Button size="s" icon="retry" onPress={() => void act("retry")}>
                Try again
              </Button>
            )
          )}
        </div>
      )}
    </article>
  );
}
