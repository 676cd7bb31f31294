import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useNavigate, useParams } from "@tanstack/react-router";
import { createContext, useContext, useState } from "react";
import type { DatasetDescription } from "@quern/client";
import { client } from "../../api/client";
import { dataset, type Address } from "../../api/queries";
import { counted } from "../../app/format";
import { useTitle } from "../../app/shell";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icon";
import { Menu } from "../../ui/menu";
import { Empty, Failure, Loading } from "../../ui/state";
import { Tabs } from "../../ui/tabs";
import { Columns } from "./columns";
import { Definition } from "./definition";
import { Ingestions } from "./ingestions";
import { Links } from "./links";
import { Manage } from "./manage";
import { DatasetShares } from "./shares";

interface Here {
  at: Address;
  about: DatasetDescription;
}

const Current = createContext<Here | undefined>(undefined);

/** The dataset that the screen is about. */
export function useDataset(): Here {
  return useContext(Current)!;
}

const tabs = [
  { id: "columns", name: "Columns" },
  { id: "definition", name: "Definition" },
  { id: "ingestions", name: "Ingestions" },
  { id: "links", name: "Links" },
  { id: "shares", name: "Sharing" },
  { id: "manage", name: "Manage" },
];

/** A dataset: its rows, and on further tabs what is known and can be done about it. */
export function DatasetScreen() {
  const { owner, namespace, dataset: name } = useParams({ from: "/data/$owner/$namespace/$dataset" });
  const at = { username: owner, namespace, datasetName: name };
  const found = useQuery(dataset(at));
  useTitle(`${name} · ${namespace}`);
  const params = { owner, namespace, dataset: name };
  if (found.isError) {
    return (
      <div className="page">
        <Failure page error={found.error} retry={() => void found.refetch()}>
          <Link to="/data" className="button plain m">
            All data
          </Link>
        </Failure>
      </div>
    );
  }
  const role = found.data?.dataset.role;
  const shown = tabs.filter((tab) => role === "owner" || (tab.id !== "shares" && tab.id !== "manage"));
  return (
    <div className="page wide dataset">
      <header className="page-head">
        <div className="grow">
          <div className="crumbs">
            <Link to="/data">Data</Link>
            <span>/</span>
            <Link to="/data/$owner/$namespace" params={params}>
              {owner} / {namespace}
            </Link>
          </div>
          <h1 className="row wrap">
            {name}
            {role && role !== "owner" && <span className="badge">{role}</span>}
          </h1>
          <p className="about num">
            {found.data ? `${counted(found.data.metadata.rowCount, "row")}, ${counted(found.data.metadata.columns.length, "column")}` : " "}
          </p>
        </div>
        <div className="row wrap">
          <Link to="/ask/$owner/$namespace" params={params} className="button plain m">
            <Icon name="ask" />
            Ask
          </Link>
          <Export at={at} />
          {role !== "viewer" && (
            <Link to="/upload" search={{ to: `${owner}/${namespace}/${name}` }} className="button primary m">
              <Icon name="upload" />
              Add rows
            </Link>
          )}
        </div>
      </header>
      <Tabs label="Parts of the dataset">
        <Link to="/data/$owner/$namespace/$dataset" params={params} className="tab" activeOptions={{ exact: true, includeSearch: false }}>
          Rows
        </Link>
        {shown.map((tab) => (
          <Link key={tab.id} to="/data/$owner/$namespace/$dataset/$tab" params={{ ...params, tab: tab.id }} className="tab">
            {tab.name}
          </Link>
        ))}
      </Tabs>
      {found.data ? (
        <Current.Provider value={{ at, about: found.data }}>
          <Outlet />
        </Current.Provider>
      ) : (
        <Loading lines={8} />
      )}
    </div>
  );
}

/** One of the tabs of a dataset. */
export function DatasetTab() {
  const { tab } = useParams({ from: "/data/$owner/$namespace/$dataset/$tab" });
  switch (tab) {
    case "columns":
      return <Columns />;
    case "definition":
      return <Definition />;
    case "ingestions":
      return <Ingestions />;
    case "links":
      return <Links />;
    case "shares":
      return <DatasetShares />;
    case "manage":
      return <Manage />;
    default:
      return <Empty icon="search" title="There is no such tab" />;
  }
}

function Export({ at }: { at: Address }) {
  const address = (format: string) => client.address("/data/{username}/{namespace}/{datasetName}/export", at, { format });
  const formats = [
    ["csv", "CSV", "for spreadsheets"],
    ["json", "JSON", "one array"],
    ["ndjson", "NDJSON", "a row a line"],
    ["parquet", "Parquet", "with types"],
  ] as const;
  return (
    <Menu
      label="Export"
      trigger={<Button icon="download">Export</Button>}
      entries={formats.map(([id, name, about]) => ({ id, name, about, href: address(id), download: true }))}
    />
  );
}

/** Goes to a dataset's first tab, as after it got another name. */
export function useGoTo() {
  const navigate = useNavigate();
  const [going, setGoing] = useState(false);
  const go = async (at: Address) => {
    setGoing(true);
    await navigate({
      to: "/data/$owner/$namespace/$dataset",
      params: { owner: at.username, namespace: at.namespace, dataset: at.datasetName },
      replace: true,
    });
  };
  return { go, going };
}
