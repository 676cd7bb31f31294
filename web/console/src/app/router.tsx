import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Link, redirect } from "@tanstack/react-router";
import { Home } from "../screens/home/home";
import { Empty, Failure, Loading } from "../ui/state";
import { Button } from "../ui/button";
import { Shell } from "./shell";

const root = createRootRoute({ component: Shell, notFoundComponent: Nowhere });

const home = createRoute({ getParentRoute: () => root, path: "/", component: Home });

const all = createRoute({
  getParentRoute: () => root,
  path: "/data",
  component: lazyRouteComponent(() => import("../screens/home/all"), "AllData"),
});

const ask = createRoute({
  getParentRoute: () => root,
  path: "/ask/$owner/$namespace",
  validateSearch: (search: Record<string, unknown>): { q?: string } => (typeof search["q"] === "string" ? { q: search["q"] } : {}),
  component: lazyRouteComponent(() => import("../screens/ask/ask"), "NewConversation"),
});

const conversation = createRoute({
  getParentRoute: () => root,
  path: "/ask/$conversationId",
  component: lazyRouteComponent(() => import("../screens/ask/ask"), "OldConversation"),
});

const upload = createRoute({
  getParentRoute: () => root,
  path: "/upload",
  validateSearch: (search: Record<string, unknown>): { to?: string; session?: string; ingestion?: string } => ({
    ...(typeof search["to"] === "string" ? { to: search["to"] } : {}),
    ...(typeof search["session"] === "string" ? { session: search["session"] } : {}),
    ...(typeof search["ingestion"] === "string" ? { ingestion: search["ingestion"] } : {}),
  }),
  component: lazyRouteComponent(() => import("../screens/upload/upload"), "UploadScreen"),
});

const namespace = createRoute({
  getParentRoute: () => root,
  path: "/data/$owner/$namespace",
  component: lazyRouteComponent(() => import("../screens/dataset/namespace"), "NamespaceScreen"),
});

/** What the rows of a dataset are shown by. */
export interface RowsSearch {
  sort?: string;
  filter?: string;
}

const dataset = createRoute({
  getParentRoute: () => root,
  path: "/data/$owner/$namespace/$dataset",
  component: lazyRouteComponent(() => import("../screens/dataset/dataset"), "DatasetScreen"),
});

const datasetTab = createRoute({
  getParentRoute: () => dataset,
  path: "$tab",
  component: lazyRouteComponent(() => import("../screens/dataset/dataset"), "DatasetTab"),
});

const datasetRows = createRoute({
  getParentRoute: () => dataset,
  path: "/",
  validateSearch: (search: Record<string, unknown>): RowsSearch => ({
    ...(typeof search["sort"] === "string" ? { sort: search["sort"] } : {}),
    ...(typeof search["filter"] === "string" ? { filter: search["filter"] } : {}),
  }),
  component: lazyRouteComponent(() => import("../screens/dataset/rows"), "Rows"),
});

const answer = createRoute({
  getParentRoute: () => root,
  path: "/answers/$shareId",
  component: lazyRouteComponent(() => import("../screens/answer/answer"), "SharedAnswer"),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  beforeLoad: () => {
    throw redirect({ to: "/settings/$tab", params: { tab: "tokens" }, replace: true });
  },
});

const settingsTab = createRoute({
  getParentRoute: () => root,
  path: "/settings/$tab",
  component: lazyRouteComponent(() => import("../screens/settings/settings"), "Settings"),
});

const tree = root.addChildren([
  home,
  all,
  ask,
  conversation,
  upload,
  namespace,
  dataset.addChildren([datasetRows, datasetTab]),
  answer,
  settings,
  settingsTab,
]);

export const router = createRouter({
  routeTree: tree,
  defaultPreload: "intent",
  // A conversation opens at its last turn, wherever it was left.
  scrollRestoration: ({ location }) => !/^\/ask\/[^/]+$/.test(location.pathname),
  defaultPendingComponent: () => (
    <div className="page">
      <Loading lines={6} />
    </div>
  ),
  defaultErrorComponent: ({ error }) => <Broken error={error} />,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

function Nowhere() {
  return (
    <div className="page">
      <Empty
        icon="search"
        title="There is no such page"
        action={
          <Link to="/" className="button plain m">
            Go home
          </Link>
        }
      >
        The address may be mistyped, or what it led to is gone.
      </Empty>
    </div>
  );
}

/** A screen that failed. A part of the page that cannot be loaded mostly means that the server has a newer one. */
function Broken({ error }: { error: unknown }) {
  const stale = error instanceof Error && /dynamically imported module|module script/i.test(error.message);
  if (!stale)
    return (
      <div className="page">
        <Failure page error={error} retry={() => location.reload()} />
      </div>
    );
  return (
    <div className="page">
      <Empty
        icon="retry"
        title="The server has a newer version of this page"
        action={
          <Button kind="primary" onPress={() => location.reload()}>
            Reload
          </Button>
        }
      >
        What you typed is kept.
      </Empty>
    </div>
  );
}
