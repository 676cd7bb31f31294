import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { ingestion, queries, underWay } from "../../api/queries";
import { compact } from "../../app/format";
import { IconButton } from "../../ui/button";
import { Icon } from "../../ui/icon";
import { forget, watch, watched } from "../upload/watch";
import { pendingUploads } from "../upload/pending";

const isOver = (status: string | undefined) => status === "failed" || status === "completed";

/** What is on its way: the reader's ingestions, with how those ended that were seen here, and uploads that were cut off. */
export function Arriving() {
  const [ids, setIds] = useState(watched);
  const open = useQuery(underWay).data;
  useEffect(() => {
    // They are kept in mind, so that how they end is seen too.
    for (const { id } of open ?? []) watch(id);
    setIds(watched());
  }, [open]);
  const found = useQueries({
    queries: ids.map((id) => ({
      ...ingestion(id),
      retry: false,
      refetchInterval: (query: { state: { data?: { status: string } } }) => (isOver(query.state.data?.status) ? false : 2000),
    })),
  });
  const shown = found.flatMap((one, i) => (one.data ? [{ id: ids[i]!, data: one.data }] : []));
  const ended = shown.filter(({ data }) => data.status === "completed").length;
  useEffect(() => {
    if (ended > 0)
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === "datasets" || queryKey[0] === "namespaces" });
  }, [ended]);
  const uploads = pendingUploads();
  if (shown.length === 0 && uploads.length === 0) return null;
  const drop = (id: string) => {
    forget(id);
    setIds(watched());
  };
  return (
    <section className="section" aria-label="On its way">
      <div className="section-head">
        <h2>On its way</h2>
      </div>
      <div className="card">
        {uploads.map((upload) => (
          <Link key={upload.sessionId} to="/upload" search={{ session: upload.sessionId }} className="list-row">
            <Icon name="pause" />
            <span className="grow ellipsis">{upload.files.map((file) => file.name).join(", ")}</span>
            <span className="badge warn">not complete</span>
            <span className="small">Go on</span>
          </Link>
        ))}
        {shown.map(({ id, data }) => (
          <div key={id} className="list-row">
            {data.status === "failed" ? (
              <Icon name="warn" />
            ) : data.status === "completed" ? (
              <Icon name="check" />
            ) : (
              <span className="spinner" />
            )}
            <Link
              className="grow ellipsis"
              to="/data/$owner/$namespace/$dataset/$tab"
              params={{
                owner: data.attributes.owner,
                namespace: data.attributes.namespace,
                dataset: data.attributes.dataset,
                tab: "ingestions",
              }}
            >
              {data.attributes.namespace} / {data.attributes.dataset}
            </Link>
            <span className="count">{compact(data.processedRows)} rows</span>
            {isOver(data.status) ? (
              <>
                <span className={data.status === "failed" ? "badge bad" : "badge good"}>{data.status}</span>
                <IconButton label="Dismiss" icon="close" size="s" onPress={() => drop(id)} />
              </>
            ) : (
              <span className="badge accent">{data.status}</span>
            )}
          </div>
        ))}
      </div>
    </section>
  );
}
