import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useDeferredValue, useState } from "react";
import { datasets, me, ownNamespaces, spaces } from "../../api/queries";
import { count, counted } from "../../app/format";
import { useTitle } from "../../app/shell";
import { Button } from "../../ui/button";
import { TextField } from "../../ui/field";
import { Icon } from "../../ui/icon";
import { Empty, Failure, Loading } from "../../ui/state";

const step = 200;

/** Everything that the reader sees, found by name. */
export function AllData() {
  useTitle("Data");
  const user = useQuery(me);
  const all = useQuery(datasets);
  const own = useQuery(ownNamespaces);
  const [text, setText] = useState("");
  const [most, setMost] = useState(step);
  const wanted = useDeferredValue(text.trim().toLowerCase());
  if (all.isError)
    return (
      <div className="page">
        <Failure page error={all.error} retry={() => void all.refetch()} />
      </div>
    );
  if (!all.data || !user.data)
    return (
      <div className="page">
        <Loading lines={8} />
      </div>
    );
  const found = all.data.filter((entry) => `${entry.owner} / ${entry.namespace} / ${entry.name}`.toLowerCase().includes(wanted));
  const groups = spaces(found.slice(0, most), wanted ? [] : (own.data ?? []), user.data.username);
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1>Data</h1>
          <p className="about">{counted(all.data.length, "dataset")}, yours and those shared with you.</p>
        </div>
        <Link to="/upload" className="button primary m">
          <Icon name="upload" />
          Add data
        </Link>
      </header>
      <TextField
        label="Find a dataset"
        hideLabel
        placeholder="Find a dataset, a namespace, an owner"
        value={text}
        onChange={(value) => {
          setText(value);
          setMost(step);
        }}
        type="search"
      />
      {groups.length === 0 && <Empty icon="search" title={wanted ? "Nothing is called that" : "No data yet"} />}
      {groups.map((space) => (
        <section key={`${space.owner}/${space.name}`} className="section" aria-label={`${space.owner} / ${space.name}`}>
          <div className="section-head">
            <h2 className="row">
              <Icon name="folder" />
              <Link className="plain-link" to="/data/$owner/$namespace" params={{ owner: space.owner, namespace: space.name }}>
                {space.name}
              </Link>
              {!space.mine && (
                <span className="badge">
                  <Icon name="user" size={11} />
                  {space.owner}
                </span>
              )}
            </h2>
            <span className="count">{count(space.datasets.length)}</span>
          </div>
          <div className="card">
            {space.datasets.length === 0 && <div className="list-row quiet">Nothing in it yet.</div>}
            {space.datasets.map((entry) => (
              <Link
                key={entry.name}
                className="list-row"
                to="/data/$owner/$namespace/$dataset"
                params={{ owner: entry.owner, namespace: entry.namespace, dataset: entry.name }}
              >
                <Icon name="table" />
                <span className="grow ellipsis">{entry.name}</span>
                {entry.role !== "owner" && <span className="badge">{entry.role}</span>}
              </Link>
            ))}
          </div>
        </section>
      ))}
      {found.length > most && (
        <p className="section row between">
          <span className="quiet">
            {count(most)} of {counted(found.length, "dataset")}
          </span>
          <Button onPress={() => setMost(most + step)}>Show more</Button>
        </p>
      )}
    </div>
  );
}
