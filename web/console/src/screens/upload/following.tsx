import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { client } from "../../api/client";
import { ingestion, queries } from "../../api/queries";
import { bytes, counted } from "../../app/format";
import { keepSpace } from "../../app/space";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icon";
import { Failure, Loading, Note } from "../../ui/state";
import { Bar } from "./progress";
import { Rejected } from "./rejected";
import { forget } from "./watch";

/** Follows an ingestion to its end, and leads on from there. */
export function Following({ id, onMore }: { id: string; onMore: () => void }) {
  const found = useQuery({
    ...ingestion(id),
    refetchInterval: (query) => (query.state.data?.status === "completed" || query.state.data?.status === "failed" ? false : 700),
  });
  const status = found.data?.status;
  const space = found.data?.attributes;
  useEffect(() => {
    if (status !== "completed" && status !== "failed") return;
    forget(id);
    if (status === "completed" && space) keepSpace(space.owner, space.namespace);
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "ingestion" });
  }, [status, id, space]);
  if (found.isError) return <Failure error={found.error} retry={() => void found.refetch()} />;
  if (!found.data) return <Loading lines={3} />;
  const { attributes } = found.data;
  const params = { owner: attributes.owner, namespace: attributes.namespace, dataset: attributes.dataset };
  const into = [...new Set(attributes.tables.flatMap((table) => table.dataset ?? []))];
  const percent = found.data.expectedTotalBytes > 0 ? Math.round((found.data.processedBytes / found.data.expectedTotalBytes) * 100) : 0;
  return (
    <section className="card pad stack" aria-label="Ingestion" aria-live="polite">
      {status === "completed" && (
        <div className="state compact">
          <span className="state-icon">
            <Icon name="check" size={20} />
          </span>
          <p className="state-title">
            {counted(found.data.processedRows, "row")} in {into.length > 1 ? into.join(", ") : attributes.dataset}
          </p>
          <div className="state-action">
            <Link to="/ask/$owner/$namespace" params={params} className="button primary m">
              <Icon name="ask" />
              Ask about it
            </Link>
            <Link to="/data/$owner/$namespace/$dataset" params={params} className="button plain m">
              <Icon name="table" />
              See the rows
            </Link>
            <Button kind="quiet" onPress={onMore}>
              Add more
            </Button>
          </div>
        </div>
      )}
      {status === "failed" && (
        <>
          <Note kind="bad">
            {found.data.aborted ? "It was cancelled; nothing was stored." : (found.data.statusMessage ?? "It failed; nothing was stored.")}
          </Note>
          <div className="row end">
            <Button onPress={onMore}>Start anew</Button>
          </div>
        </>
      )}
      {(status === "pending" || status === "processing") && (
        <>
          <div className="row between">
            <h2>{status === "pending" ? "Waiting for its turn" : "Storing the rows"}</h2>
            <span className="count">
              {bytes(found.data.processedBytes)} of {bytes(found.data.expectedTotalBytes)} · {counted(found.data.processedRows, "row")}
            </span>
          </div>
          <Bar label="Storing" value={percent} />
          <div className="row between">
            <span className="quiet small">You may leave this page; it goes on.</span>
            <Button
              size="s"
              icon="stop"
              onPress={() => void client.post("/ingestionTracking/{ingestionId}/cancel", { path: { ingestionId: id } })}
            >
              Cancel
            </Button>
          </div>
        </>
      )}
      {attributes.rejectedRows > 0 && <Rejected id={id} total={attributes.rejectedRows} />}
    </section>
  );
}
