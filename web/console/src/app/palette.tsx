import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { Dialog, Modal, ModalOverlay } from "react-aria-components";
import { conversations, datasets, me, ownNamespaces, spaces } from "../api/queries";
import { Icon, type IconName } from "../ui/icon";
import { signOut } from "./sidebar";
import { setTheme } from "./theme";

interface Entry {
  id: string;
  group: string;
  name: string;
  about?: string;
  icon: IconName;
  act: () => void;
}

const perGroup = 8;

/** Whether the palette is open; Ctrl or Command and K turn it. */
export function usePalette() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey) return;
      event.preventDefault();
      setOpen((open) => !open);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  return { isOpen, open: () => setOpen(true), close: () => setOpen(false) };
}

/** Everything that can be gone to or done, found by its name. */
export function Palette({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <ModalOverlay className="scrim palette-scrim" isOpen={isOpen} onOpenChange={(open) => !open && onClose()} isDismissable>
      <Modal className="palette">
        <Dialog aria-label="Search and commands" className="dialog-plain">
          <Finder onClose={onClose} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Finder({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  const entries = useEntries();
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const found = useMemo(() => find(entries, text), [entries, text]);
  useEffect(() => setActive(0), [text]);
  useEffect(() => {
    list.current?.querySelector(`[data-index="${active}"]`)?.scrollIntoView({ block: "nearest" });
  }, [active]);
  const choose = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    entry.act();
  };
  const onKey = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step) {
      event.preventDefault();
      setActive((now) => (now + step + found.length) % Math.max(found.length, 1));
    } else if (event.key === "Enter") {
      event.preventDefault();
      choose(found[active]);
    }
  };
  return (
    <>
      <div className="palette-input">
        <Icon name="search" />
        <input
          autoFocus
          role="combobox"
          aria-label="Search and commands"
          aria-expanded="true"
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={found[active] ? `${id}-${active}` : undefined}
          placeholder="Find a dataset, a conversation, a command"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKey}
        />
      </div>
      <div className="palette-list" id={id} role="listbox" aria-label="Found" ref={list}>
        {found.map((entry, i) => (
          <div key={entry.id} role="presentation">
            {entry.group !== found[i - 1]?.group && (
              <div className="palette-group" role="presentation">
                {entry.group}
              </div>
            )}
            <div
              id={`${id}-${i}`}
              data-index={i}
              role="option"
              aria-selected={i === active}
              className={i === active ? "option on" : "option"}
              onPointerMove={() => setActive(i)}
              onClick={() => choose(entry)}
            >
              <Icon name={entry.icon} size={15} />
              <span className="grow ellipsis">{entry.name}</span>
              {entry.about && <span className="count ellipsis">{entry.about}</span>}
            </div>
          </div>
        ))}
      </div>
      {found.length === 0 && <div className="palette-none">Nothing is called that.</div>}
    </>
  );
}

/** The entries whose words all begin or hold what was typed, those that begin with it first. */
function find(entries: Entry[], text: string): Entry[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, { entry: Entry; rank: number }[]>();
  for (const entry of entries) {
    const hay = `${entry.name} ${entry.about ?? ""}`.toLowerCase();
    if (!wanted.every((word) => hay.includes(word))) continue;
    const rank = wanted[0] && !entry.name.toLowerCase().startsWith(wanted[0]) ? 1 : 0;
    groups.set(entry.group, [...(groups.get(entry.group) ?? []), { entry, rank }]);
  }
  return [...groups.values()].flatMap((group) =>
    group
      .sort((a, b) => a.rank - b.rank)
      .slice(0, perGroup)
      .map(({ entry }) => entry),
  );
}

function useEntries(): Entry[] {
  const router = useRouter();
  const user = useQuery(me);
  const all = useQuery(datasets);
  const own = useQuery(ownNamespaces);
  const talks = useInfiniteQuery(conversations);
  return useMemo(() => {
    const go = (href: string) => () => void router.navigate({ href });
    const path = (...parts: string[]) => parts.map(encodeURIComponent).join("/");
    const list = spaces(all.data ?? [], own.data ?? [], user.data?.username ?? "");
    return [
      ...commands(go),
      ...list
        .filter((space) => space.datasets.length > 0)
        .map((space): Entry => ({
          id: `ask-${space.owner}/${space.name}`,
          group: "Ask",
          name: `Ask ${space.name}`,
          about: space.mine ? "" : space.owner,
          icon: "ask",
          act: go(`/ask/${path(space.owner, space.name)}`),
        })),
      ...(all.data ?? []).map((entry): Entry => ({
        id: `data-${entry.owner}/${entry.namespace}/${entry.name}`,
        group: "Datasets",
        name: entry.name,
        about: `${entry.owner} / ${entry.namespace}`,
        icon: "table",
        act: go(`/data/${path(entry.owner, entry.namespace, entry.name)}`),
      })),
      ...list.map((space): Entry => ({
        id: `space-${space.owner}/${space.name}`,
        group: "Namespaces",
        name: space.name,
        about: space.owner,
        icon: "folder",
        act: go(`/data/${path(space.owner, space.name)}`),
      })),
      ...(talks.data?.pages.flatMap((page) => page.conversations) ?? []).map((talk): Entry => ({
        id: `talk-${talk.id}`,
        group: "Conversations",
        name: talk.title,
        about: talk.namespace,
        icon: "ask",
        act: go(`/ask/${talk.id}`),
      })),
    ];
  }, [router, user.data, all.data, own.data, talks.data]);
}

function commands(go: (href: string) => () => void): Entry[] {
  const entry = (id: string, name: string, icon: IconName, act: () => void): Entry => ({ id, group: "Commands", name, icon, act });
  return [
    entry("home", "Go home", "home", go("/")),
    entry("upload", "Add data", "upload", go("/upload")),
    entry("all", "All data", "data", go("/data")),
    entry("tokens", "API tokens", "key", go("/settings/tokens")),
    entry("sessions", "Sessions", "lock", go("/settings/sessions")),
    entry("usage", "Usage", "chart", go("/settings/usage")),
    entry("models", "Models", "spark", go("/settings/models")),
    entry("light", "Use the light theme", "sun", () => setTheme("light")),
    entry("dark", "Use the dark theme", "moon", () => setTheme("dark")),
    entry("system", "Use the theme of the system", "screen", () => setTheme("system")),
    entry("docs", "API reference", "book", () => location.assign("/docs")),
    entry("out", "Sign out", "exit", () => signOut()),
  ];
}
