import type { Row } from "@quern/client";
import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useMemo, useState } from "react";
import { client } from "../../api/client";
import type { Address } from "../../api/queries";
import { count, counted } from "../../app/format";
import { Button } from "../../ui/button";
import { Grid, type GridColumn } from "../../ui/grid";
import { Icon } from "../../ui/icon";
import { Menu } from "../../ui/menu";
import { Empty, errorText, Failure, Loading, Note } from "../../ui/state";
import { useDataset } from "./dataset";
import { FilterBar } from "./filter";

const mostRows = 200;
const mostCells = 20_000;
const clip = 500;
const longest = 20_000;

interface Shown {
  at: Address;
  pageSize: number;
  version: number;
  sort: string | undefined;
  filter: string | undefined;
}

const page = ({ at, pageSize, version, sort, filter }: Shown, index: number) => ({
  queryKey: ["rows", at.username, at.namespace, at.datasetName, version, sort ?? "", filter ?? "", index],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    client.get("/data/{username}/{namespace}/{datasetName}/rows", {
      path: at,
      query: {
        offset: index * pageSize,
        limit: pageSize,
        clip,
        metadata: true,
        ...(sort ? { sort: [sort] } : {}),
        ...(filter ? { filter } : {}),
      },
      signal,
    }),
  staleTime: Infinity,
  gcTime: 60_000,
});

/** The rows of a dataset, however many, sorted and filtered as the address says. */
export function Rows() {
  const { at, about } = useDataset();
  const { sort, filter } = useSearch({ from: "/data/$owner/$namespace/$dataset/" });
  const navigate = useNavigate();
  // Of a wide dataset fewer rows are asked for at a time.
  const pageSize = Math.max(20, Math.min(mostRows, Math.floor(mostCells / about.metadata.columns.length)));
  const shown: Shown = { at, pageSize, version: about.metadata.version, sort, filter };
  const first = useQuery({ ...page(shown, 0), placeholderData: keepPreviousData });
  const [pages, setPages] = useState<number[]>([0]);
  const wanted = useQueries({ queries: pages.map((index) => page(shown, index)) });
  const loaded = useMemo(() => new Map(pages.map((index, i) => [index, wanted[i]?.data?.data])), [pages, wanted]);
  const rowAt = useCallback((i: number): Row | undefined => loaded.get(Math.floor(i / pageSize))?.[i % pageSize], [loaded, pageSize]);
  useEffect(() => setPages([0]), [sort, filter]);
  const onRange = useCallback(
    (from: number, to: number) => {
      const next: number[] = [];
      for (let index = Math.floor(from / pageSize); index <= Math.floor(to / pageSize); index++) next.push(index);
      setPages((now) => (now.length === next.length && now.every((one, i) => one === next[i]) ? now : next));
    },
    [pageSize],
  );
  const wholeRow = useCallback(
    async (index: number) => {
      const query = {
        offset: index,
        limit: 1,
        clip: longest,
        metadata: true,
        ...(sort ? { sort: [sort] } : {}),
        ...(filter ? { filter } : {}),
      };
      const one = await client.get("/data/{username}/{namespace}/{datasetName}/rows", { path: at, query });
      return { row: one.data[0] ?? {}, lengths: Object.fromEntries((one.clipped ?? []).map((cut) => [cut.column, cut.length])) };
    },
    [at, sort, filter],
  );
  const columns: GridColumn[] = useMemo(() => about.metadata.columns.map(({ name, type }) => ({ name, type })), [about]);
  const change = (next: { sort?: string; filter?: string }) =>
    void navigate({
      to: ".",
      search: { ...(next.sort ? { sort: next.sort } : {}), ...(next.filter ? { filter: next.filter } : {}) },
      replace: true,
    });
  const [column, order] = sort?.split(/:(?=asc$|desc$)/) ?? [];
  const total = first.data?.totalCount ?? 0;
  if (about.metadata.rowCount === 0 && !filter)
    return (
      <Empty icon="table" title="No rows yet">
        Add a file, or send rows to the API.
      </Empty>
    );
  const head = ({ name }: GridColumn) => (
    <Menu
      label={`Column ${name}`}
      placement="bottom start"
      trigger={
        <Button
          size="s"
          kind="quiet"
          className={column === name ? "grid-menu on" : "grid-menu"}
          icon={column === name ? (order === "desc" ? "down" : "up") : "down"}
          aria-label={`Sort by ${name}`}
        />
      }
      entries={[
        { id: "asc", name: "Smallest first", icon: "up", onAction: () => change({ sort: `${name}:asc`, filter }) },
        { id: "desc", name: "Greatest first", icon: "down", onAction: () => change({ sort: `${name}:desc`, filter }) },
        ...(column === name
          ? [null, { id: "none", name: "As they came", icon: "close" as const, onAction: () => change({ filter }) }]
          : []),
      ]}
    />
  );
  return (
    <section className="rows" aria-label="Rows">
      <div className="rows-tools">
        <FilterBar columns={about.metadata.columns} filter={filter ?? ""} onChange={(next) => change({ sort, filter: next })} />
        <span className="grow" />
        {column && (
          <Button size="s" kind="quiet" icon="close" onPress={() => change({ filter })}>
            sorted by {column}
          </Button>
        )}
        <span className="count nowrap">
          {filter ? `${count(total)} of ${counted(about.metadata.rowCount, "row")}` : counted(total, "row")}
        </span>
      </div>
      {first.isError && filter ? (
        <Note kind="bad">{errorText(first.error)}</Note>
      ) : first.isError ? (
        <Failure error={first.error} retry={() => void first.refetch()} />
      ) : null}
      {first.isPending && <Loading lines={10} />}
      {first.data &&
        !first.isError &&
        (total === 0 ? (
          <Empty icon="filter" title="No row matches" action={<Button onPress={() => change({ sort })}>Clear the filter</Button>} />
        ) : (
          <Grid
            label={`Rows of ${at.datasetName}`}
            columns={columns}
            count={total}
            rowAt={rowAt}
            onRange={onRange}
            head={head}
            numbered
            wholeRow={wholeRow}
            sort={column ? { column, descending: order === "desc" } : undefined}
          />
        ))}
      <p className="rows-hint quiet small">
        <Icon name="info" size={13} />
        Enter or a double click opens a row, with the file that it came from. Long values are cut at {clip} characters here; exports have
        all.
      </p>
    </section>
  );
}
