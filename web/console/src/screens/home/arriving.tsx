import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { ingestion } from "../../api/queries";
import { compact } from "../../app/format";
import { IconButton } from "../../ui/button";
import { Icon } from "../../ui/icon";
import { forget, watched } from "../upload/watch";
import { pendingUploads } from "../upload/pending";

/** What is on its way: uploads that were cut off, and ingestions that were started from this browser. */
export function Arriving() {
  const [ids, setIds] = useState(watched);
  const found = useQueries({ queries: ids.map((id) => ({ ...ingestion(id), refetchInterval: 2000, retry: false })) });
  const shown = found.flatMap((one, i) => (one.data ? [{ id: ids[i]!, data: one.data }] : []));
  const uploads = pendingUploads();
  if (shown.length === 0 && uploads.length === 0) return null;
  const drop = (id: string) => {
    forget(id);
    setIds(watched());
  };
  return (
    <section className="section" aria-label="On its way">
      <div className="section-head"><h2>On its way</h2></div>
      <div className="card">
        {uploads.map((upload) => (
          <Link key={upload.sessionId} to="/upload" search={{ session: upload.sessionId }} className="list-row">
            <Icon name="pause" />
            <span className="grow ellipsis">{upload.files.map((file) => file.name).join(", ")}</span>
            <span className="badge warn">not complete</span><span className="small">Go on</span>
          </Link>
        ))}
        {shown.map(({ id, data }) => (
          <div key={id} className="list-row">
            {data.status === "failed" ? <Icon name="warn" /> : data.status === "completed" ? <Icon name="check" /> : <span className="spinner" />}
            <Link className="grow ellipsis" to="/data/$owner/$namespace/$dataset/$tab"
              params={{ owner: data.attributes.owner, namespace: data.attributes.namespace, dataset: data.attributes.dataset, tab: "ingestions" }}>
              {data.attributes.namespace} / {data.attributes.dataset}
            </Link>
            <span className="count">{compact(data.processedRows)} rows</span>
            {data.status === "failed" || data.status === "completed"
              ? <><span className={data.status === "failed" ? "badge bad" : "badge good"}>{data.status}</span><IconButton label="Dismiss" icon="close" size="s" onPress={() => drop(id)} /></>
              : <span className="badge accent">{data.status}</span>}
          </div>
        ))}
      </div>
    </section>
  );
}
