import { infiniteQueryOptions, keepPreviousData, QueryClient, queryOptions } from "@tanstack/react-query";
import { QuernError, type DatasetEntry } from "@quern/client";
import { client } from "./client";

/** Where a dataset is. */
export interface Address {
  username: string;
  namespace: string;
  datasetName: string;
}

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => failures < 2 && error instanceof QuernError && error.passing,
      retryDelay: (n) => 500 * 2 ** n,
    },
  },
});

export const me = queryOptions({ queryKey: ["me"], queryFn: ({ signal }) => client.get("/user/me", { signal }), staleTime: Infinity });

export const datasets = queryOptions({
  queryKey: ["datasets"],
  queryFn: ({ signal }) => client.get("/data", { query: { limit: 10_000 }, signal }),
});

export const ownNamespaces = queryOptions({
  queryKey: ["namespaces"],
  queryFn: ({ signal }) => client.get("/schema/{username}/namespaces", { path: { username: "self" }, signal }),
});

export const models = queryOptions({ queryKey: ["models"], queryFn: ({ signal }) => client.get("/query/models", { signal }) });

export const tokens = queryOptions({ queryKey: ["tokens"], queryFn: ({ signal }) => client.get("/user/tokens", { signal }) });

export const sessions = queryOptions({ queryKey: ["sessions"], queryFn: ({ signal }) => client.get("/user/sessions", { signal }) });

export const usage = queryOptions({
  queryKey: ["usage"],
  queryFn: ({ signal }) =>
    client.get("/user/usage/by-day", { query: { timeZoneForAggregation: Intl.DateTimeFormat().resolvedOptions().timeZone }, signal }),
});

export const dataset = (at: Address) =>
  queryOptions({
    queryKey: ["dataset", at.username, at.namespace, at.datasetName],
    queryFn: ({ signal }) => client.get("/data/{username}/{namespace}/{datasetName}", { path: at, signal }),
  });

export const definition = (at: Address) =>
  queryOptions({
    queryKey: ["definition", at.username, at.namespace, at.datasetName],
    queryFn: ({ signal }) => client.get("/data/{username}/{namespace}/{datasetName}/inferDefinition", { path: at, signal }),
  });

export const histogram = (at: Address, name: string, version: number) =>
  queryOptions({
    queryKey: ["histogram", at.username, at.namespace, at.datasetName, name, version],
    queryFn: ({ signal }) =>
      client.get("/data/{username}/{namespace}/{datasetName}/columns/{columnName}/histogram", {
        path: { ...at, columnName: name },
        query: { bins: 24 },
        signal,
      }),
    staleTime: Infinity,
  });

export const ingestions = (at: Address) =>
  queryOptions({
    queryKey: ["ingestions", at.username, at.namespace, at.datasetName],
    queryFn: ({ signal }) =>
      client.get("/data/{username}/{namespace}/{datasetName}/ingest/attempts", { path: at, query: { pageSize: 50 }, signal }),
  });

export const links = (at: Address) =>
  queryOptions({
    queryKey: ["links", at.username, at.namespace, at.datasetName],
    queryFn: async ({ signal }) => (await client.get("/links/{username}/{namespace}/{datasetName}", { path: at, signal })) ?? [],
  });

export const datasetShares = (at: Address) =>
  queryOptions({
    queryKey: ["shares", at.username, at.namespace, at.datasetName],
    queryFn: ({ signal }) => client.get("/permissions/datasets/{username}/{namespace}/{datasetName}/shares", { path: at, signal }),
  });

export const namespaceShares = (username: string, namespace: string) =>
  queryOptions({
    queryKey: ["shares", username, namespace],
    queryFn: ({ signal }) => client.get("/permissions/namespaces/{username}/{namespace}/shares", { path: { username, namespace }, signal }),
  });

export const conversations = infiniteQueryOptions({
  queryKey: ["conversations"],
  queryFn: ({ signal, pageParam }) => client.get("/query/conversations", { query: { limit: 30, cursor: pageParam || undefined }, signal }),
  initialPageParam: "",
  getNextPageParam: (page) => page.nextCursor,
  placeholderData: keepPreviousData,
});

export const conversation = (id: string) =>
  queryOptions({
    queryKey: ["conversation", id],
    queryFn: ({ signal }) => client.get("/query/conversations/{conversationId}", { path: { conversationId: id }, signal }),
  });

export const run = (runId: string) =>
  queryOptions({
    queryKey: ["run", runId],
    queryFn: ({ signal }) => client.get("/query/runs/{runId}", { path: { runId }, signal }),
  });

export const sharedAnswer = (shareId: string) =>
  queryOptions({
    queryKey: ["shared", shareId],
    queryFn: ({ signal }) => client.get("/query/shared/{shareId}", { path: { shareId }, signal }),
    retry: false,
  });

/** A namespace with those of its datasets that the reader sees. */
export interface Space {
  owner: string;
  name: string;
  mine: boolean;
  datasets: DatasetEntry[];
}

/** Groups datasets by namespace: the reader's own first, then by owner and name. */
export function spaces(entries: DatasetEntry[], own: { name: string; owner: string }[], username: string): Space[] {
  const found = new Map<string, Space>();
  const space = (owner: string, name: string) => {
    const key = `${owner}/${name}`;
    const known = found.get(key) ?? { owner, name, mine: owner === username, datasets: [] };
    found.set(key, known);
    return known;
  };
  for (const entry of own) space(entry.owner, entry.name);
  for (const entry of entries) space(entry.owner, entry.namespace).datasets.push(entry);
  return [...found.values()].sort(
    (a, b) => Number(b.mine) - Number(a.mine) || a.owner.localeCompare(b.owner) || a.name.localeCompare(b.name),
  );
}

export const suggestions = (username: string, namespace: string) =>
  queryOptions({
    queryKey: ["suggestions", username, namespace],
    queryFn: ({ signal }) => client.get("/knowledge/{username}/{namespace}/suggestions", { path: { username, namespace }, signal }),
    staleTime: 5 * 60_000,
  });

export const knowledge = (username: string, namespace: string) =>
  queryOptions({
    queryKey: ["knowledge", username, namespace],
    queryFn: ({ signal }) => client.get("/knowledge/{username}/{namespace}", { path: { username, namespace }, signal }),
  });

export const ingestion = (id: string) =>
  queryOptions({
    queryKey: ["ingestion", id],
    queryFn: ({ signal }) => client.get("/ingestionTracking/{ingestionId}", { path: { ingestionId: id }, signal }),
  });

/** What the reader has on its way, from whichever browser or program. */
export const underWay = queryOptions({
  queryKey: ["underWay"],
  queryFn: ({ signal }) => client.get("/ingestionTracking", { signal }),
  refetchInterval: (query) => (query.state.data?.length ? 2000 : 15_000),
});

export const uploadSession = (sessionId: string) =>
  queryOptions({
    queryKey: ["upload", sessionId],
    queryFn: ({ signal }) => client.get("/file-upload/{sessionId}", { path: { sessionId }, signal }),
    staleTime: 0,
  });
