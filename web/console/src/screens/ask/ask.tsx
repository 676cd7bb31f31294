import { QuernError } from "@quern/client";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { client } from "../../api/client";
import { conversation, queries, suggestions } from "../../api/queries";
import { useTitle } from "../../app/shell";
import { writeDraft } from "../../app/draft";
import { keepSpace } from "../../app/space";
import { IconButton } from "../../ui/button";
import { Confirm, Dialog } from "../../ui/dialog";
import { TextField } from "../../ui/field";
import { Icon } from "../../ui/icon";
import { Menu } from "../../ui/menu";
import { errorText, Failure, Loading, Note } from "../../ui/state";
import { Button } from "../../ui/button";
import { Suggestions } from "../home/home";
import { AskBox } from "./box";
import { useHold } from "./hold";
import { begin, fromTurn, liveRuns, rejoin, useLiveRun, type RunView } from "./runs";
import { TurnView } from "./turn";

/** A conversation that has not begun. A question in the address is asked at once. */
export function NewConversation() {
  const { owner, namespace } = useParams({ from: "/ask/$owner/$namespace" });
  const { q } = useSearch({ from: "/ask/$owner/$namespace" });
  const navigate = useNavigate();
  const [asking, setAsking] = useState("");
  const [error, setError] = useState<unknown>();
  const asked = useRef("");
  useTitle(`Ask ${namespace}`);
  const ask = async (question: string) => {
    setAsking(question);
    setError(undefined);
    try {
      const run = await begin({ username: owner, namespace, query: question });
      keepSpace(owner, namespace);
      void queries.invalidateQueries({ queryKey: ["conversations"] });
      await navigate({ to: "/ask/$conversationId", params: { conversationId: run.conversationId }, replace: true });
    } catch (cause) {
      writeDraft(`ask.new.${owner}/${namespace}`, question);
      setError(cause);
      setAsking("");
    }
  };
  useEffect(() => {
    if (!q || asked.current === q) return;
    asked.current = q;
    void ask(q);
  });
  // Whoever may ask about a namespace gets its suggestions, be there any or none.
  const hinted = useQuery(suggestions(owner, namespace));
  if (hinted.error instanceof QuernError && hinted.error.status === 404) return <Missing error={hinted.error} />;
  return (
    <div className="thread">
      <ThreadHead owner={owner} namespace={namespace} title={`Ask ${namespace}`} />
      <div className="thread-body">
        {asking ? (
          <div className="turn">
            <h2 className="question" dir="auto">
              {asking}
            </h2>
            <Loading lines={3} label="Asking" />
          </div>
        ) : (
          <div className="thread-start">
            <h2>Ask about {namespace}</h2>
            <p className="quiet">
              The question is read as a query, which you see with its rows. Where something is unclear you are asked back.
            </p>
            <Suggestions space={{ owner, name: namespace }} most={10} onAsk={(question) => void ask(question)} />
          </div>
        )}
      </div>
      <div className="thread-foot">
        <Unasked error={error} />
        <AskBox
          key={error ? "again" : "first"}
          draft={`new.${owner}/${namespace}`}
          autoFocus
          placeholder={`Ask about ${namespace}`}
          onAsk={(question) => void ask(question)}
        />
      </div>
    </div>
  );
}

function Missing({ error, retry }: { error: unknown; retry?: () => void }) {
  return (
    <div className="page">
      <Failure page error={error} retry={retry}>
        <Link to="/" className="button plain m">
          Go home
        </Link>
      </Failure>
    </div>
  );
}

/** A conversation with its turns, the latest at the end. */
export function OldConversation() {
  const { conversationId } = useParams({ from: "/ask/$conversationId" });
  const stored = useQuery(conversation(conversationId));
  useTitle(stored.data?.title);
  if (stored.isError) return <Missing error={stored.error} retry={() => void stored.refetch()} />;
  if (!stored.data)
    return (
      <div className="thread">
        <div className="thread-body">
          <Loading lines={6} />
        </div>
      </div>
    );
  return (
    <Thread
      key={conversationId}
      id={conversationId}
      owner={stored.data.username}
      namespace={stored.data.namespace}
      title={stored.data.title}
      turns={stored.data.turns.map((turn) => fromTurn(turn, conversationId))}
    />
  );
}

function Thread({ id, owner, namespace, title, turns }: { id: string; owner: string; namespace: string; title: string; turns: RunView[] }) {
  const [error, setError] = useState<unknown>();
  const [, redraw] = useState(0);
  const known = new Set(turns.map((turn) => turn.runId));
  const all = [...turns, ...liveRuns(id).filter((run) => !known.has(run.runId))];
  const last = useLiveRun(all.at(-1)?.runId ?? "") ?? all.at(-1);
  useHold(`run-${last?.runId ?? ""}`);
  const ask = async (question: string) => {
    setError(undefined);
    try {
      await begin({ username: owner, namespace, query: question, conversationId: id });
      keepSpace(owner, namespace);
      redraw((n) => n + 1);
    } catch (cause) {
      writeDraft(`ask.${id}`, question);
      setError(cause);
    }
  };
  const stop = () => last && void client.post("/query/runs/{runId}/cancel", { path: { runId: last.runId } }).catch(setError);
  return (
    <div className="thread">
      <ThreadHead owner={owner} namespace={namespace} title={title} id={id} />
      <div className="thread-body">
        {all.map((turn, i) => (
          <LiveTurn
            key={turn.runId}
            turn={turn}
            conversationId={id}
            owner={owner}
            namespace={namespace}
            onAsk={(question) => void ask(question)}
            isLast={i === all.length - 1}
          />
        ))}
      </div>
      <div className="thread-foot">
        <Unasked error={error} />
        <AskBox
          key={error ? "again" : "first"}
          draft={id}
          autoFocus
          placeholder="Ask on, such as: and by month?"
          onAsk={(question) => void ask(question)}
          onStop={last?.status === "running" ? stop : undefined}
        />
      </div>
    </div>
  );
}

/** Says, where it is seen, why a question was not taken. */
function Unasked({ error }: { error: unknown }) {
  return error === undefined ? null : <Note kind="bad">{errorText(error)} Your question is kept below.</Note>;
}

function LiveTurn({
  turn,
  conversationId,
  ...rest
}: {
  turn: RunView;
  conversationId: string;
  owner: string;
  namespace: string;
  onAsk: (question: string) => void;
  isLast: boolean;
}) {
  const live = useLiveRun(turn.runId);
  useEffect(() => {
    if (turn.status === "running") rejoin(turn, conversationId);
  }, [turn, conversationId]);
  const ended = live !== undefined && live.status !== "running";
  useEffect(() => {
    if (ended)
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === "conversations" || queryKey[1] === conversationId });
  }, [ended, conversationId]);
  // A stored end is the last word, also where this page lost the connection before.
  return <TurnView run={turn.status === "running" && live ? live : turn} {...rest} />;
}

function ThreadHead({ owner, namespace, title, id }: { owner: string; namespace: string; title: string; id?: string }) {
  return (
    <header className="thread-head">
      <div className="grow">
        <div className="crumbs">
          <Link to="/data/$owner/$namespace" params={{ owner, namespace }}>
            {owner} / {namespace}
          </Link>
        </div>
        <h1 className="thread-title ellipsis" dir="auto">
          {title}
        </h1>
      </div>
      <Link to="/ask/$owner/$namespace" params={{ owner, namespace }} className="button plain s">
        <Icon name="plus" size={14} />
        <span>New</span>
      </Link>
      {id && <ThreadMenu id={id} title={title} />}
    </header>
  );
}

function ThreadMenu({ id, title }: { id: string; title: string }) {
  const [open, setOpen] = useState<"" | "rename" | "delete">("");
  const [text, setText] = useState(title);
  const [error, setError] = useState("");
  const navigate = useNavigate();
  const path = { conversationId: id };
  const changed = () => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === "conversations" || queryKey[1] === id });
  const rename = async () => {
    try {
      await client.patch("/query/conversations/{conversationId}", { path, body: { title: text.trim() } });
      await changed();
      setOpen("");
    } catch (cause) {
      setError(errorText(cause));
    }
  };
  const remove = async () => {
    await client.delete("/query/conversations/{conversationId}", { path });
    await navigate({ to: "/" });
    await changed();
  };
  return (
    <>
      <Menu
        label="Conversation"
        trigger={<IconButton label="More" icon="more" size="s" />}
        entries={[
          {
            id: "rename",
            name: "Rename",
            icon: "edit",
            onAction: () => {
              setText(title);
              setOpen("rename");
            },
          },
          null,
          { id: "delete", name: "Delete", icon: "trash", danger: true, onAction: () => setOpen("delete") },
        ]}
      />
      <Dialog
        title="Rename the conversation"
        isOpen={open === "rename"}
        onClose={() => setOpen("")}
        actions={
          <>
            <Button onPress={() => setOpen("")}>Cancel</Button>
            <Button kind="primary" isDisabled={!text.trim()} onPress={() => void rename()}>
              Rename
            </Button>
          </>
        }
      >
        <TextField
          label="Title"
          value={text}
          onChange={setText}
          error={error}
          autoFocus
          maxLength={500}
          onKeyDown={(event) => event.key === "Enter" && void rename()}
        />
      </Dialog>
      <Confirm title="Delete this conversation?" action="Delete" isOpen={open === "delete"} onClose={() => setOpen("")} onConfirm={remove}>
        Its questions and answers are gone for good, and so are the links under which answers of it were shared.
      </Confirm>
    </>
  );
}
