import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { Button as AriaButton } from "react-aria-components";
import { conversations, datasets, me, ownNamespaces, spaces } from "../api/queries";
import { Icon, Mark } from "../ui/icon";
import { Menu } from "../ui/menu";
import { forgetReader } from "./draft";
import { count } from "./format";
import { setTheme, useTheme } from "./theme";

export function Brand() {
  return (
    <Link to="/" className="brand">
      <Mark />
      Quern
    </Link>
  );
}

const shownSpaces = 8;
const shownDatasets = 12;
const shownConversations = 8;
const moreConversations = 30;

/** The list of places: the main screens, the reader's namespaces and latest conversations. */
export function Sidebar({ onSearch }: { onSearch: () => void }) {
  const command = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘ K" : "Ctrl K";
  return (
    <aside className="sidebar" aria-label="Places">
      <div className="sidebar-head">
        <Brand />
      </div>
      <AriaButton className="palette-button" onPress={onSearch} aria-keyshortcuts="Control+K Meta+K">
        <Icon name="search" size={14} />
        <span className="grow">Search</span>
        <kbd aria-hidden="true">{command}</kbd>
      </AriaButton>
      <nav className="sidebar-scroll" aria-label="Main">
        <Link to="/" className="nav-link" activeOptions={{ exact: true }}>
          <Icon name="home" />
          Home
        </Link>
        <Link to="/data" className="nav-link" activeOptions={{ exact: true }}>
          <Icon name="data" />
          Data
        </Link>
        <Link to="/upload" className="nav-link">
          <Icon name="upload" />
          Add data
        </Link>
        <Spaces />
        <Conversations />
      </nav>
      <div className="sidebar-foot">
        <Who />
      </div>
    </aside>
  );
}

function Spaces() {
  const user = useQuery(me);
  const all = useQuery(datasets);
  const own = useQuery(ownNamespaces);
  const list = user.data && all.data ? spaces(all.data, own.data ?? [], user.data.username) : [];
  const here = useParams({ strict: false });
  if (list.length === 0) return null;
  return (
    <div className="nav-group">
      <div className="nav-title">Namespaces</div>
      {list.slice(0, shownSpaces).map((space) => {
        const open = here.owner === space.owner && here.namespace === space.name;
        return (
          <div key={`${space.owner}/${space.name}`}>
            <Link
              to="/data/$owner/$namespace"
              params={{ owner: space.owner, namespace: space.name }}
              className="nav-link"
              activeOptions={{ exact: true }}
            >
              <Icon name="folder" />
              <span className="ellipsis">{space.name}</span>
              {!space.mine && <span className="count ellipsis">{space.owner}</span>}
            </Link>
            {open &&
              space.datasets.slice(0, shownDatasets).map((entry) => (
                <Link
                  key={entry.name}
                  to="/data/$owner/$namespace/$dataset"
                  className="nav-link sub"
                  params={{ owner: entry.owner, namespace: entry.namespace, dataset: entry.name }}
                >
                  <span className="ellipsis">{entry.name}</span>
                </Link>
              ))}
            {open && space.datasets.length > shownDatasets && (
              <Link
                to="/data/$owner/$namespace"
                params={{ owner: space.owner, namespace: space.name }}
                className="nav-link sub quiet"
                activeOptions={{ exact: true }}
              >
                All {count(space.datasets.length)} datasets
              </Link>
            )}
          </div>
        );
      })}
      {list.length > shownSpaces && (
        <Link to="/data" className="nav-link sub quiet">
          All {count(list.length)} namespaces
        </Link>
      )}
    </div>
  );
}

function Conversations() {
  const found = useInfiniteQuery(conversations);
  const [most, setMost] = useState(shownConversations);
  const list = found.data?.pages.flatMap((page) => page.conversations) ?? [];
  if (list.length === 0) return null;
  const more = () => {
    setMost(most + moreConversations);
    if (list.length < most + moreConversations && found.hasNextPage) void found.fetchNextPage();
  };
  return (
    <div className="nav-group">
      <div className="nav-title">Conversations</div>
      {list.slice(0, most).map((one) => (
        <Link key={one.id} to="/ask/$conversationId" params={{ conversationId: one.id }} className="nav-link">
          <Icon name="ask" />
          <span className="ellipsis" dir="auto">
            {one.title}
          </span>
        </Link>
      ))}
      {(list.length > most || found.hasNextPage) && (
        <AriaButton className="nav-link sub quiet" onPress={more}>
          Earlier ones
        </AriaButton>
      )}
    </div>
  );
}

function Who() {
  const user = useQuery(me);
  const theme = useTheme();
  const navigate = useNavigate();
  const name = user.data?.username ?? "";
  const settings = (tab: string) => () => void navigate({ to: "/settings/$tab", params: { tab } });
  return (
    <Menu
      label="Account"
      placement="top start"
      trigger={
        <AriaButton className="who">
          <span className="avatar" aria-hidden="true">
            {name.slice(0, 1)}
          </span>
          <span className="grow ellipsis">
            {name}
            <span className="visually-hidden">, account</span>
          </span>
          <Icon name="more" size={14} />
        </AriaButton>
      }
      entries={[
        { id: "tokens", name: "API tokens", icon: "key", onAction: settings("tokens") },
        { id: "settings", name: "Settings", icon: "settings", onAction: settings("appearance") },
        { id: "docs", name: "API reference", icon: "book", href: "/docs" },
        null,
        theme === "dark"
          ? { id: "theme", name: "Light theme", icon: "sun", onAction: () => setTheme("light") }
          : { id: "theme", name: "Dark theme", icon: "moon", onAction: () => setTheme("dark") },
        null,
        { id: "out", name: "Sign out", icon: "exit", onAction: () => signOut() },
      ]}
    />
  );
}

/** Ends the sign-in. It is a form and no request of a script, since it may lead to the provider's own page. */
export function signOut(everywhere = false): void {
  forgetReader();
  const form = document.createElement("form");
  form.method = "post";
  form.action = "/signout";
  if (everywhere) {
    const field = document.createElement("input");
    field.type = "hidden";
    field.name = "everywhere";
    field.value = "1";
    form.append(field);
  }
  document.body.append(form);
  form.submit();
}
