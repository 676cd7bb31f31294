import type { Link as DataLink } from "@quern/client";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../../api/client";
import { links, queries } from "../../api/queries";
import { counted } from "../../app/format";
import { Button, IconButton } from "../../ui/button";
import { Icon } from "../../ui/icon";
import { Empty, errorText, Failure, Loading } from "../../ui/state";
import { toast } from "../../ui/toast";
import { useDataset } from "./dataset";

interface End {
  owner: string;
  namespace: string;
  dataset: string;
  column: string;
}

function end(name: string): End {
  const [, owner = "", namespace = "", dataset = "", ...column] = name.split(".");
  return { owner, namespace, dataset, column: column.join(".") };
}

/** The columns whose values are found in other datasets: the ways along which questions join. */
export function Links() {
  const { at, about } = useDataset();
  const found = useQuery(links(at));
  const [busy, setBusy] = useState(false);
  const again = () => queries.invalidateQueries({ queryKey: ["links", at.username, at.namespace, at.datasetName] });
  const writes = about.dataset.role !== "viewer";
  const act = async (work: () => Promise<unknown>, said: string) => {
    setBusy(true);
    try {
      await work();
      await again();
      toast(said);
    } catch (cause) {
      toast(errorText(cause), "bad");
    }
    setBusy(false);
  };
  const look = () => act(() => client.post("/links/{username}/{namespace}/{datasetName}", { path: at, body: {} }), "Looked again");
  const remove = ({ origin, destination, matchType }: DataLink) =>
    act(
      () =>
        client.post("/ontology/{username}/{namespace}/{datasetName}", { path: at, body: { remove: [{ origin, destination, matchType }] } }),
      "Link removed",
    );
  if (found.isError) return <Failure error={found.error} retry={() => void found.refetch()} />;
  if (!found.data) return <Loading lines={4} />;
  return (
    <section className="tab-body narrow" aria-label="Links">
      <div className="row between wrap">
        <p className="quiet">Found by values that two columns have in common. Questions join datasets along them.</p>
        {writes && (
          <Button icon="retry" busy={busy} onPress={() => void look()}>
            Look again
          </Button>
        )}
      </div>
      {found.data.length === 0 ? (
        <div className="card">
          <Empty icon="link" title="No links">
            Values of these columns are in no other dataset of the namespace, so far.
          </Empty>
        </div>
      ) : (
        <div className="card">
          {found.data.map((one) => {
            const [from, to] = [end(one.origin), end(one.destination)];
            return (
              <div key={`${one.origin} ${one.destination}`} className="list-row link-row">
                <LinkEnd {...from} />
                <Icon name="right" size={13} />
                <LinkEnd {...to} />
                <span className="grow" />
                <span className="badge">{one.cardinality}</span>
                <span className="count nowrap">{counted(one.hits, "value")}</span>
                {writes && <IconButton label="Remove the link" icon="close" size="s" onPress={() => void remove(one)} />}
              </div>
            );
          })}
        </div>
      )}
    </section>
  );
}

function LinkEnd({ owner, namespace, dataset, column }: End) {
  return (
    <span className="wrap-anywhere">
      <Link to="/data/$owner/$namespace/$dataset" params={{ owner, namespace, dataset }}>
        {dataset}
      </Link>
      <span className="quiet">.</span>
      {column}
    </span>
  );
}
