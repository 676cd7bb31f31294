import type { Access, CreatedToken, Token } from "@quern/client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../api/client";
import { datasets, me, ownNamespaces, queries, spaces, tokens } from "../../api/queries";
import { ago, moment } from "../../app/format";
import { Button, IconButton } from "../../ui/button";
import { Confirm, Dialog } from "../../ui/dialog";
import { Checkbox, Select, TextField } from "../../ui/field";
import { Icon } from "../../ui/icon";
import { Empty, errorText, Failure, Loading, Note } from "../../ui/state";
import { copy, toast } from "../../ui/toast";

const lives = [
  { id: "7", name: "a week" },
  { id: "30", name: "30 days" },
  { id: "90", name: "90 days" },
  { id: "365", name: "a year" },
  { id: "", name: "until revoked" },
];

/** The tokens that programs act with for the reader. */
export function Tokens() {
  const found = useQuery(tokens);
  const [making, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<Token>();
  const revoke = async (token: Token) => {
    await client.delete("/user/token/{id}", { path: { id: token.id } });
    await queries.invalidateQueries({ queryKey: ["tokens"] });
    toast(`${token.name} is worthless now`);
  };
  if (found.isError) return <Failure error={found.error} retry={() => void found.refetch()} />;
  if (!found.data) return <Loading lines={4} />;
  return (
    <section className="stack" aria-label="API tokens">
      <div className="row between wrap">
        <p className="quiet">For programs: the command line, scripts, agents. A token does what you may do, or less.</p>
        <Button kind="primary" icon="plus" onPress={() => setMaking(true)}>
          New token
        </Button>
      </div>
      {found.data.length === 0 ? (
        <div className="card">
          <Empty icon="key" title="No tokens">
            Make one to use the API or the command line.
          </Empty>
        </div>
      ) : (
        <div className="card">
          {found.data.map((token) => (
            <div key={token.id} className="list-row">
              <Icon name="key" />
              <div className="grow">
                <p className="wrap-anywhere">
                  <strong>{token.name}</strong>
                </p>
                <p className="quiet small">
                  {reach(token.accessRestrictedTo)} · {token.resource ? `only at ${token.resource} · ` : ""}
                  {token.readOnly ? "read-only · " : ""}
                  {life(token.expires_at)} · {token.last_used_at ? `used ${ago(token.last_used_at)}` : "never used"}
                </p>
              </div>
              <IconButton label={`Revoke ${token.name}`} icon="trash" size="s" onPress={() => setRevoking(token)} />
            </div>
          ))}
        </div>
      )}
      {making && <NewToken onClose={() => setMaking(false)} />}
      {revoking && (
        <Confirm
          title={`Revoke ${revoking.name}?`}
          action="Revoke"
          isOpen
          onClose={() => setRevoking(undefined)}
          onConfirm={() => revoke(revoking)}
        >
          Programs that use it are refused from the next request on.
        </Confirm>
      )}
    </section>
  );
}

function reach(access: Access[] | undefined): string {
  if (!access) return "everything you reach";
  return access.map((one) => [one.username, one.namespace, one.dataset].filter(Boolean).join(" / ")).join(", ");
}

function life(until: string): string {
  if (until.startsWith("9999")) return "until revoked";
  return new Date(until) < new Date() ? "expired" : `until ${moment(until)}`;
}

function NewToken({ onClose }: { onClose: () => void }) {
  const user = useQuery(me);
  const all = useQuery(datasets);
  const own = useQuery(ownNamespaces);
  const [name, setName] = useState("");
  const [days, setDays] = useState("90");
  const [space, setSpace] = useState("*");
  const [readOnly, setReadOnly] = useState(false);
  const [made, setMade] = useState<CreatedToken>();
  const [error, setError] = useState("");
  const [busy, setBusy] = useState(false);
  const list = spaces(all.data ?? [], own.data ?? [], user.data?.username ?? "");
  const make = async () => {
    setBusy(true);
    setError("");
    const [username = "", namespace = ""] = space.split("/");
    try {
      setMade(
        await client.post("/user/token", {
          body: {
            name: name.trim(),
            ...(days ? { expires_at: new Date(Date.now() + Number(days) * 86_400_000).toISOString() } : {}),
            ...(space === "*" ? {} : { accessRestrictedTo: [{ username, namespace }] }),
            ...(readOnly ? { readOnly } : {}),
          },
        }),
      );
      await queries.invalidateQueries({ queryKey: ["tokens"] });
    } catch (cause) {
      setError(errorText(cause));
    }
    setBusy(false);
  };
  if (made) {
    return (
      <Dialog
        title="Your new token"
        isOpen
        onClose={onClose}
        actions={
          <Button kind="primary" onPress={onClose}>
            I have it
          </Button>
        }
      >
        <div className="stack">
          <Note kind="warn" icon="key">
            This is the only time that it is shown.
          </Note>
          <p className="code" data-secret>
            {made.token}
          </p>
          <div className="row end">
            <Button icon="copy" onPress={() => void copy(made.token, "Token")}>
              Copy
            </Button>
          </div>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog
      title="New token"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" busy={busy} isDisabled={!name.trim()} onPress={() => void make()}>
            Make the token
          </Button>
        </>
      }
    >
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim()) void make();
        }}
      >
        <TextField label="What is it for?" value={name} onChange={setName} placeholder="such as nightly report" autoFocus maxLength={100} />
        <Select
          label="Works for"
          options={lives.map((one) => ({ ...one, id: one.id || "0" }))}
          value={days || "0"}
          onChange={(id) => setDays(id === "0" ? "" : id)}
        />
        <Select
          label="Reaches"
          value={space}
          onChange={setSpace}
          options={[
            { id: "*", name: "everything that you reach" },
            ...list.map((one) => ({ id: `${one.owner}/${one.name}`, name: one.name, about: one.mine ? "yours" : `of ${one.owner}` })),
          ]}
        />
        <Checkbox isSelected={readOnly} onChange={setReadOnly} hint="It reads and asks. It uploads, shares, teaches and deletes nothing.">
          Read-only
        </Checkbox>
        {error && <Note kind="bad">{error}</Note>}
      </form>
    </Dialog>
  );
}
