import { useQuery } from "@tanstack/react-query";
import { models } from "../../api/queries";
import { Icon } from "../../ui/icon";
import { Failure, Loading } from "../../ui/state";

/** The models that questions can be read with. */
export function Models() {
  const found = useQuery(models);
  if (found.isError) return <Failure error={found.error} retry={() => void found.refetch()} />;
  if (!found.data) return <Loading lines={3} />;
  return (
    <section className="stack" aria-label="Models">
      <p className="quiet">
        What reads questions and writes answers. The embedded one runs in the server itself; others are set up by whoever runs it.
      </p>
      <div className="card">
        {found.data.models.map((one) => (
          <div key={`${one.provider}/${one.model}`} className="list-row">
            <Icon name="spark" />
            <div className="grow">
              <strong className="wrap-anywhere">{one.model}</strong> <span className="quiet">{one.provider}</span>
            </div>
            {one.default && <span className="badge accent">used by default</span>}
            <span className={one.state === "ready" ? "badge good" : "badge warn"}>{one.state}</span>
          </div>
        ))}
      </div>
    </section>
  );
}
