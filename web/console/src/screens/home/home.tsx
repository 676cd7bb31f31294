import type { ConversationEntry } from "@quern/client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { conversations, datasets, me, ownNamespaces, spaces, suggestions, type Space } from "../../api/queries";
import { counted } from "../../app/format";
import { useTitle } from "../../app/shell";
import { keepSpace, lastUsed } from "../../app/space";
import { Icon } from "../../ui/icon";
import { Empty, Failure, Loading } from "../../ui/state";
import { AskBox } from "../ask/box";
import { Arriving } from "./arriving";

const shownDatasets = 6;
const shownSpaces = 12;

/** The first screen: ask, and see what there is to ask about. */
export function Home() {
  useTitle(undefined);
  const user = useQuery(me);
  const all = useQuery(datasets);
  const own = useQuery(ownNamespaces);
  const asked = useInfiniteQuery(conversations);
  if (all.isError)
    return (
      <div className="page">
        <Failure page error={all.error} retry={() => void all.refetch()} />
      </div>
    );
  if (!all.data || !user.data || asked.isPending)
    return (
      <div className="page">
        <Loading lines={8} />
      </div>
    );
  const list = spaces(all.data, own.data ?? [], user.data.username);
  const mine = list.filter((space) => space.mine);
  const shared = list.filter((space) => !space.mine);
  const askable = list.filter((space) => space.datasets.length > 0);
  return (
    <div className="page home">
      {askable.length > 0 ? (
        <AskHere askable={askable} asked={asked.data?.pages.flatMap((page) => page.conversations) ?? []} />
      ) : (
        <Welcome />
      )}
      <Arriving />
      {mine.length > 0 && <Spaces title="Your data" list={mine} />}
      {shared.length > 0 && <Spaces title="Shared with you" list={shared} />}
    </div>
  );
}

const idOf = (space: Space) => `${space.owner}/${space.name}`;

function AskHere({ askable, asked }: { askable: Space[]; asked: ConversationEntry[] }) {
  const navigate = useNavigate();
  // Found once: it does not change under the hands of who is typing.
  const [chosen, setChosen] = useState(() => idOf(lastUsed(askable, asked)));
  const space = askable.find((one) => idOf(one) === chosen) ?? askable[0]!;
  const choose = (id: string) => {
    const found = askable.find((one) => idOf(one) === id);
    if (found) keepSpace(found.owner, found.name);
    setChosen(id);
  };
  const ask = (q: string) =>
    void navigate({ to: "/ask/$owner/$namespace", params: { owner: space.owner, namespace: space.name }, search: { q } });
  return (
    <section className="ask-home" aria-labelledby="ask-title">
      <h1 id="ask-title">What do you want to know?</h1>
      <AskBox
        draft="home"
        large
        autoFocus
        placeholder={`Ask about ${space.name}, in your own words`}
        onAsk={ask}
        space={{ value: idOf(space), onChange: choose, options: askable }}
      />
      <Suggestions space={space} onAsk={ask} />
    </section>
  );
}

/** Questions that the server is sure of, about a namespace. */
export function Suggestions({
  space,
  onAsk,
  most = 4,
}: {
  space: { owner: string; name: string };
  onAsk: (question: string) => void;
  most?: number;
}) {
  const found = useQuery(suggestions(space.owner, space.name));
  const questions = (found.data?.questions ?? [])
    .slice(0, most)
    .map(({ question }) => question.slice(0, 1).toUpperCase() + question.slice(1));
  return (
    <div className="suggestions" aria-busy={found.isPending}>
      {questions.length > 0 && <span className="visually-hidden">Questions to try</span>}
      {questions.map((question) => (
        <button key={question} type="button" className="chip" onClick={() => onAsk(question)}>
          {question}
        </button>
      ))}
    </div>
  );
}

function Welcome() {
  return (
    <section className="card">
      <Empty
        icon="upload"
        title="Bring your first file"
        action={
          <Link to="/upload" className="button primary m">
            <Icon name="upload" />
            Add data
          </Link>
        }
      >
        A spreadsheet, a CSV, JSON, Parquet, a PDF with tables. It becomes a typed table that you can question in your own words, and share.
      </Empty>
    </section>
  );
}

function Spaces({ title, list }: { title: string; list: Space[] }) {
  return (
    <section className="section" aria-label={title}>
      <div className="section-head">
        <h2>{title}</h2>
        <Link to="/data" className="button quiet s">
          All data
          <Icon name="right" size={12} />
        </Link>
      </div>
      <div className="space-grid">
        {list.slice(0, shownSpaces).map((space) => (
          <SpaceCard key={`${space.owner}/${space.name}`} space={space} />
        ))}
      </div>
      {list.length > shownSpaces && (
        <p className="quiet small">
          {counted(list.length - shownSpaces, "more namespace")} under <Link to="/data">All data</Link>.
        </p>
      )}
    </section>
  );
}

function SpaceCard({ space }: { space: Space }) {
  const at = { owner: space.owner, namespace: space.name };
  const rest = space.datasets.length - shownDatasets;
  return (
    <article className="card space-card">
      <header className="space-head">
        <Link to="/data/$owner/$namespace" params={at} className="space-name">
          <Icon name="folder" />
          <span className="ellipsis">{space.name}</span>
        </Link>
        {!space.mine && (
          <span className="badge">
            <Icon name="user" size={11} />
            {space.owner}
          </span>
        )}
        <span className="grow" />
        <Link to="/ask/$owner/$namespace" params={at} className="button quiet s">
          <Icon name="ask" size={14} />
          Ask
        </Link>
      </header>
      {space.datasets.length === 0 && (
        <p className="space-none">
          Nothing in it yet. <Link to="/upload">Add data</Link>
        </p>
      )}
      <ul>
        {space.datasets.slice(0, shownDatasets).map((entry) => (
          <li key={entry.name}>
            <Link to="/data/$owner/$namespace/$dataset" params={{ ...at, dataset: entry.name }} className="space-row">
              <Icon name="table" size={14} />
              <span className="ellipsis grow">{entry.name}</span>
              {entry.role !== "owner" && <span className="count">{entry.role}</span>}
            </Link>
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <Link to="/data/$owner/$namespace" params={at} className="space-row quiet">
          {counted(rest, "more dataset")}
        </Link>
      )}
    </article>
  );
}
