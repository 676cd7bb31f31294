import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../api/client";
import { queries, run as runQuery } from "../../api/queries";
import { Button, IconButton } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Checkbox, TextField } from "../../ui/field";
import { Icon } from "../../ui/icon";
import { errorText, Note } from "../../ui/state";
import { copy, toast } from "../../ui/toast";
import type { RunView } from "./runs";

/** Thumbs, sharing, and what else can be done with an answer. */
export function Rate({ run, isLast }: { run: RunView; isLast: boolean }) {
  const stored = useQuery({ ...runQuery(run.runId), staleTime: 60_000 });
  const [open, setOpen] = useState<"" | "wrong" | "share">("");
  const rated = stored.data?.feedback;
  const again = () => queries.invalidateQueries({ queryKey: ["run", run.runId] });
  const path = { runId: run.runId };
  const like = async () => {
    try {
      if (rated?.thumbsUp) await client.delete("/query/runs/{runId}/feedback", { path });
      else await client.post("/query/runs/{runId}/feedback", { path, body: { thumbsUp: true } });
      await again();
    } catch (cause) {
      toast(errorText(cause), "bad");
    }
  };
  return (
    <div className={isLast ? "rate" : "rate past"}>
      <IconButton
        label={rated?.thumbsUp ? "Take the rating back" : "This is what I meant"}
        icon="up_thumb"
        size="s"
        className={rated?.thumbsUp ? "on" : ""}
        aria-pressed={rated?.thumbsUp ?? false}
        onPress={() => void like()}
      />
      <IconButton
        label="This is not what I meant"
        icon="down_thumb"
        size="s"
        className={rated && !rated.thumbsUp ? "on" : ""}
        aria-pressed={rated ? !rated.thumbsUp : false}
        onPress={() => setOpen("wrong")}
      />
      {rated && <span className="count">{rated.thumbsUp ? "This is what I meant" : "This is not what I meant"}</span>}
      <span className="grow" />
      {!run.answer?.clarification && (
        <Button size="s" kind="quiet" icon={stored.data?.share ? "link" : "share"} onPress={() => setOpen("share")}>
          {stored.data?.share ? "Shared" : "Share"}
        </Button>
      )}
      {open === "wrong" && <Wrong run={run} onClose={() => setOpen("")} onDone={again} />}
      {open === "share" && <ShareAnswer run={run} url={stored.data?.share?.url} onClose={() => setOpen("")} onDone={again} />}
    </div>
  );
}

function Wrong({ run, onClose, onDone }: { run: RunView; onClose: () => void; onDone: () => Promise<unknown> }) {
  const [comment, setComment] = useState("");
  const [meant, setMeant] = useState("");
  const [tell, setTell] = useState(false);
  const [error, setError] = useState("");
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    try {
      const said = { ...(comment.trim() ? { comment: comment.trim() } : {}), ...(meant.trim() ? { meant: meant.trim() } : {}) };
      await client.post("/query/runs/{runId}/feedback", {
        path: { runId: run.runId },
        body: { thumbsUp: false, tellOwner: tell, ...said },
      });
      await onDone();
      toast("Noted");
      onClose();
    } catch (cause) {
      setError(errorText(cause));
    }
    setBusy(false);
  };
  return (
    <Dialog
      title="What did you mean?"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" busy={busy} onPress={() => void send()}>
            Send
          </Button>
        </>
      }
    >
      <div className="stack">
        <p className="quiet" dir="auto">
          {run.question}
        </p>
        <TextField label="What I meant, in other words" value={meant} onChange={setMeant} lines={2} autoFocus />
        <TextField label="What is wrong (optional)" value={comment} onChange={setComment} lines={2} maxLength={10_000} />
        <Checkbox isSelected={tell} onChange={setTell} hint="The question and what you write here. Otherwise nobody else sees it.">
          Tell the owner and the editors of the namespace
        </Checkbox>
        {error && <Note kind="bad">{error}</Note>}
      </div>
    </Dialog>
  );
}

function ShareAnswer({
  run,
  url,
  onClose,
  onDone,
}: {
  run: RunView;
  url: string | undefined;
  onClose: () => void;
  onDone: () => Promise<unknown>;
}) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const path = { runId: run.runId };
  const act = async (work: () => Promise<unknown>) => {
    setBusy(true);
    setError("");
    try {
      await work();
      await onDone();
    } catch (cause) {
      setError(errorText(cause));
    }
    setBusy(false);
  };
  return (
    <Dialog title="Share this answer" isOpen onClose={onClose}>
      <div className="stack">
        <p className="quiet">
          Whoever has the link, is signed in here and may read the data now sees the question, the query, the rows and the answer as they
          are; nothing else of the conversation.
        </p>
        {url ? (
          <>
            <div className="row">
              <input className="input mono" readOnly aria-label="Link" value={url} onFocus={(event) => event.target.select()} />
              <Button kind="primary" icon="copy" onPress={() => void copy(url, "Link")}>
                Copy
              </Button>
            </div>
            <div className="row between">
              <span className="quiet small row">
                <Icon name="link" size={14} />
                The link works until you take it back.
              </span>
              <Button size="s" busy={busy} onPress={() => void act(() => client.delete("/query/runs/{runId}/share", { path }))}>
                Take it back
              </Button>
            </div>
          </>
        ) : (
          <Button kind="primary" icon="link" busy={busy} onPress={() => void act(() => client.post("/query/runs/{runId}/share", { path }))}>
            Make a link
          </Button>
        )}
        {error && <Note kind="bad">{error}</Note>}
      </div>
    </Dialog>
  );
}
