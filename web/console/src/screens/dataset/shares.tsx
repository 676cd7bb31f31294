import type { Share } from "@quern/client";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../api/client";
import { datasetShares, namespaceShares, queries } from "../../api/queries";
import { Button, IconButton } from "../../ui/button";
import { Select, TextField } from "../../ui/field";
import { errorText, Failure, Loading, Note } from "../../ui/state";
import { toast } from "../../ui/toast";
import { useDataset } from "./dataset";

const roles = [
  { id: "viewer", name: "viewer", about: "reads, queries and asks" },
  { id: "editor", name: "editor", about: "also adds rows and changes the definition" },
];

/** Who sees this dataset, by a grant on it or on its namespace. */
export function DatasetShares() {
  const { at } = useDataset();
  const direct = useQuery(datasetShares(at));
  const whole = useQuery(namespaceShares(at.username, at.namespace));
  const path = "/permissions/datasets/{username}/{namespace}/{datasetName}/shares";
  return (
    <section className="tab-body narrow" aria-label="Sharing">
      <Shares
        shares={direct}
        name={at.datasetName}
        onShare={(body) => client.post(path, { path: at, body })}
        onRevoke={(username) => client.delete(path, { path: at, body: { username } })}
      />
      {(whole.data?.length ?? 0) > 0 && (
        <Note kind="info" icon="users">
          Also seen by those who share the whole namespace {at.namespace}:{" "}
          {whole.data!.map((share) => `${share.username} (${share.role})`).join(", ")}.
        </Note>
      )}
    </section>
  );
}

/** Who sees a namespace, with all that is and will be in it. */
export function NamespaceShares({ owner, namespace }: { owner: string; namespace: string }) {
  const at = { username: owner, namespace };
  const shares = useQuery(namespaceShares(owner, namespace));
  const path = "/permissions/namespaces/{username}/{namespace}/shares";
  return (
    <Shares
      shares={shares}
      name={namespace}
      onShare={(body) => client.post(path, { path: at, body })}
      onRevoke={(username) => client.delete(path, { path: at, body: { username } })}
    />
  );
}

interface Props {
  shares: UseQueryResult<Share[]>;
  name: string;
  onShare: (share: Share) => Promise<unknown>;
  onRevoke: (username: string) => Promise<unknown>;
}

function Shares({ shares, name, onShare, onRevoke }: Props) {
  const [who, setWho] = useState("");
  const [role, setRole] = useState<string>("viewer");
  const [error, setError] = useState("");
  const [busy, setBusy] = useState(false);
  const act = async (work: () => Promise<unknown>, said: string) => {
    setBusy(true);
    setError("");
    try {
      await work();
      await queries.invalidateQueries({ queryKey: ["shares"] });
      toast(said);
      setWho("");
    } catch (cause) {
      setError(errorText(cause));
    }
    setBusy(false);
  };
  const share = (username: string, as: string) => act(() => onShare({ username, role: as as Share["role"] }), `Shared with ${username}`);
  if (shares.isError) return <Failure error={shares.error} retry={() => void shares.refetch()} />;
  return (
    <>
      <form
        className="share-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (who.trim()) void share(who.trim(), role);
        }}
      >
        <TextField
          label="Share with"
          value={who}
          onChange={setWho}
          placeholder="username"
          autoComplete="off"
          error={error}
          className="grow"
        />
        <Select label="As" options={roles} value={role} onChange={setRole} />
        <Button kind="primary" type="submit" busy={busy} isDisabled={!who.trim()}>
          Share
        </Button>
      </form>
      {!shares.data ? (
        <Loading lines={3} />
      ) : (
        <div className="card">
          {shares.data.length === 0 && <div className="list-row quiet">Only you see {name}.</div>}
          {shares.data.map((one) => (
            <div key={one.username} className="list-row">
              <span className="avatar" aria-hidden="true">
                {one.username.slice(0, 1)}
              </span>
              <span className="grow ellipsis">{one.username}</span>
              <Select
                label={`Role of ${one.username}`}
                hideLabel
                size="s"
                options={roles}
                value={one.role}
                onChange={(next) => void share(one.username, next)}
              />
              <IconButton
                label={`Take the access of ${one.username} away`}
                icon="close"
                size="s"
                onPress={() => void act(() => onRevoke(one.username), `${one.username} no longer sees it`)}
              />
            </div>
          ))}
        </div>
      )}
      <p className="quiet small">Both count at once, also in what is open elsewhere.</p>
    </>
  );
}
