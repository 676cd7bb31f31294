import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../../api/client";
import { datasets, me, ownNamespaces, queries } from "../../api/queries";
import { count, counted } from "../../app/format";
import { useTitle } from "../../app/shell";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/dialog";
import { TextField } from "../../ui/field";
import { Icon } from "../../ui/icon";
import { Empty, Failure, Loading } from "../../ui/state";
import { toast } from "../../ui/toast";
import { Rename } from "./manage";
import { NamespaceShares } from "./shares";

const step = 50;

/** A namespace: its datasets, and for its owner whom it is shared with. */
export function NamespaceScreen() {
  const { owner, namespace } = useParams({ from: "/data/$owner/$namespace" });
  const user = useQuery(me);
  const all = useQuery(datasets);
  const own = useQuery(ownNamespaces);
  const [text, setText] = useState("");
  const [most, setMost] = useState(step);
  useTitle(namespace);
  if (all.isError)
    return (
      <div className="page">
        <Failure page error={all.error} retry={() => void all.refetch()} />
      </div>
    );
  if (!all.data || !user.data || !own.data)
    return (
      <div className="page">
        <Loading lines={6} />
      </div>
    );
  const wanted = text.trim().toLowerCase();
  const list = all.data.filter((entry) => entry.owner === owner && entry.namespace === namespace);
  const found = list.filter((entry) => entry.name.toLowerCase().includes(wanted));
  const mine = owner === user.data.username;
  if (list.length === 0 && !own.data.some((entry) => entry.owner === owner && entry.name === namespace)) {
    return (
      <div className="page">
        <Empty
          icon="search"
          title="There is nothing here"
          action={
            <Link to="/data" className="button plain m">
              All data
            </Link>
          }
        >
          The namespace does not exist, or it is not shared with you any more.
        </Empty>
      </div>
    );
  }
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <div className="crumbs">
            <Link to="/data">Data</Link>
            <span>/</span>
            <span>{owner}</span>
          </div>
          <h1>{namespace}</h1>
          <p className="about">
            {counted(list.length, "dataset")}
            {!mine && `, shared by ${owner}`}
          </p>
        </div>
        <div className="row">
          {list.length > 0 && (
            <Link to="/ask/$owner/$namespace" params={{ owner, namespace }} className="button plain m">
              <Icon name="ask" />
              Ask
            </Link>
          )}
          {mine && (
            <Link to="/upload" search={{ to: `${owner}/${namespace}/` }} className="button primary m">
              <Icon name="upload" />
              Add data
            </Link>
          )}
        </div>
      </header>
      {list.length > step && (
        <TextField
          label="Find a dataset"
          hideLabel
          placeholder={`Find one of ${count(list.length)} datasets`}
          value={text}
          onChange={(value) => {
            setText(value);
            setMost(step);
          }}
          type="search"
        />
      )}
      <div className="card">
        {list.length === 0 && (
          <Empty icon="table" title="Nothing in it yet">
            Add a file, and it becomes a dataset here.
          </Empty>
        )}
        {list.length > 0 && found.length === 0 && <Empty icon="search" title="Nothing is called that" />}
        {found.slice(0, most).map((entry) => (
          <Link
            key={entry.name}
            className="list-row"
            to="/data/$owner/$namespace/$dataset"
            params={{ owner, namespace, dataset: entry.name }}
          >
            <Icon name="table" />
            <span className="grow ellipsis">{entry.name}</span>
            {entry.role !== "owner" && <span className="badge">{entry.role}</span>}
            <Icon name="right" size={13} />
          </Link>
        ))}
      </div>
      {found.length > most && (
        <p className="section row between">
          <span className="quiet">
            {count(most)} of {counted(found.length, "dataset")}
          </span>
          <Button onPress={() => setMost(most + step)}>Show more</Button>
        </p>
      )}
      {mine && (
        <>
          <section className="section stack" aria-label="Sharing">
            <h2>Shared with</h2>
            <p className="quiet">Whoever is named here sees every dataset of {namespace}, also those that come later.</p>
            <NamespaceShares owner={owner} namespace={namespace} />
          </section>
          <Manage owner={owner} namespace={namespace} size={list.length} />
        </>
      )}
    </div>
  );
}

function Manage({ owner, namespace, size }: { owner: string; namespace: string; size: number }) {
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const path = { username: owner, namespace };
  const rename = async (name: string) => {
    await client.post("/data/{username}/{namespace}/rename", { path, body: name });
    await navigate({ to: "/data/$owner/$namespace", params: { owner, namespace: name }, replace: true });
    await queries.invalidateQueries();
  };
  const remove = async () => {
    await client.delete("/data/{username}/{namespace}/balefire", { path, query: { deleteDatasets: true } });
    await navigate({ to: "/data", replace: true });
    await queries.invalidateQueries();
    toast(`${namespace} is deleted`);
  };
  return (
    <section className="section stack" aria-label="Manage">
      <h2>Manage</h2>
      <Rename key={namespace} name={namespace} onRename={rename} />
      <div className="card danger-zone">
        <div className="list-row">
          <div className="grow">
            <h3>Delete the namespace</h3>
            <p className="quiet small">{counted(size, "dataset")} in it go for good, with their rows.</p>
          </div>
          <Button kind="danger" onPress={() => setOpen(true)}>
            Delete
          </Button>
        </div>
      </div>
      <Confirm
        title={`Delete ${namespace}?`}
        action="Delete for good"
        name={namespace}
        isOpen={open}
        onClose={() => setOpen(false)}
        onConfirm={remove}
      >
        {counted(size, "dataset")} and all rows in them go for good.
      </Confirm>
    </section>
  );
}
