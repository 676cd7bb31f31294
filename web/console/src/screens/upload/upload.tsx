import { Upload, type UploadState } from "@quern/client";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { client } from "../../api/client";
import { uploadSession } from "../../api/queries";
import { useTitle } from "../../app/shell";
import { Button } from "../../ui/button";
import { Failure, Loading, Note } from "../../ui/state";
import { toast } from "../../ui/toast";
import { DropZone } from "./drop";
import { Following } from "./following";
import { dropUpload, keepUpload, pendingUploads } from "./pending";
import { Preview } from "./preview";
import { Progress } from "./progress";

/** Brings files: sent in parts, looked at before anything is stored, then made rows of a dataset. */
export function UploadScreen() {
  useTitle("Add data");
  const { session, to, ingestion } = useSearch({ from: "/upload" });
  const navigate = useNavigate();
  const leave = () => void navigate({ to: "/upload", search: to ? { to } : {}, replace: true });
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1>{to && !to.endsWith("/") ? `Add rows to ${to.split("/").pop()}` : "Add data"}</h1>
          <p className="about">
            Spreadsheets, CSV, JSON, Parquet, PDF, Word, HTML, archives of these. What a file holds decides, not its name.
          </p>
        </div>
      </header>
      {ingestion ? (
        <Following id={ingestion} onMore={leave} />
      ) : (
        <Journey key={session ?? "new"} session={session} to={to} onLeave={leave} />
      )}
    </div>
  );
}

/** What the page does while the address changes to that of the session that it began itself. */
const running = new Map<string, Upload>();

function Journey({ session, to, onLeave: leave }: { session: string | undefined; to: string | undefined; onLeave: () => void }) {
  const navigate = useNavigate();
  const [state, setState] = useState<UploadState | undefined>(() => (session ? running.get(session)?.current : undefined));
  const upload = useRef<Upload | undefined>(session ? running.get(session) : undefined);
  const stored = useQuery({ ...uploadSession(session ?? ""), enabled: session !== undefined && state === undefined });

  const begin = (files: File[], sessionId?: string) => {
    const one = new Upload(client, files, { sessionId, onChange: (next) => follow(one, next, files) });
    upload.current = one;
    void one.start();
  };
  const follow = (one: Upload, next: UploadState, files: File[]) => {
    if (next.sessionId && !running.has(next.sessionId)) {
      running.set(next.sessionId, one);
      keepUpload({
        sessionId: next.sessionId,
        at: Date.now(),
        files: files.map((file) => ({ name: file.name, size: file.size, modified: file.lastModified })),
      });
      void navigate({ to: "/upload", search: { session: next.sessionId, ...(to ? { to } : {}) }, replace: true });
    }
    if (next.status === "completed" || next.status === "aborted") dropUpload(next.sessionId);
    for (const listener of listeners) listener(next);
  };
  useEffect(() => {
    const listener = (next: UploadState) => {
      if (!session || next.sessionId === session) setState(next);
    };
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, [session]);

  const abort = async () => {
    if (session) dropUpload(session);
    try {
      if (upload.current) await upload.current.abort();
      else if (session) await client.post("/file-upload/{sessionId}/abort", { path: { sessionId: session } });
      toast("The upload was ended");
    } catch {
      // It is over in any case: a session that nobody goes on with ends by itself.
    }
    leave();
  };

  if (state?.status === "completed" || stored.data?.sessionStatus === "completed") {
    const names = state?.files.map((file) => file.name) ?? stored.data!.files.map((file) => file.filename);
    return <Preview sessionId={session ?? state!.sessionId} names={names} to={to} />;
  }
  if (state)
    return (
      <Progress
        state={state}
        onPause={() => upload.current?.pause()}
        onResume={() => void upload.current?.resume()}
        onAbort={() => void abort()}
      />
    );
  if (!session) return <DropZone onFiles={(files) => begin(files)} />;
  if (stored.isError)
    return (
      <Failure error={stored.error}>
        <Button
          onPress={() => {
            dropUpload(session);
            leave();
          }}
        >
          Start anew
        </Button>
      </Failure>
    );
  if (!stored.data) return <Loading lines={4} />;
  if (stored.data.sessionStatus === "aborted") {
    return (
      <Note
        kind="warn"
        actions={
          <Button
            size="s"
            onPress={() => {
              dropUpload(session);
              leave();
            }}
          >
            Start anew
          </Button>
        }
      >
        This upload was ended, or nobody went on with it for a day.
      </Note>
    );
  }
  const missing = stored.data.files.filter((file) => file.fileStatus !== "completed");
  const kept = pendingUploads().find((one) => one.sessionId === session);
  const resume = (files: File[]) => {
    const found = missing.map((want) => files.find((file) => file.name === want.filename && file.size === want.size));
    if (found.some((file) => file === undefined)) return toast("Choose the same files: their names and sizes must agree", "bad");
    const changed = found.find((file) => {
      const was = kept?.files.find((one) => one.name === file!.name);
      return was && was.modified !== file!.lastModified;
    });
    if (changed) return toast(`${changed.name} was changed since; start anew`, "bad");
    begin(found as File[], session);
  };
  return (
    <div className="stack">
      <Note kind="info">
        Choose <strong>{missing.map((file) => file.filename).join(", ")}</strong> again. What has arrived is not sent a second time.
      </Note>
      <DropZone onFiles={resume} compact />
      <div className="row end">
        <Button kind="quiet" onPress={() => void abort()}>
          Give this upload up
        </Button>
      </div>
    </div>
  );
}

const listeners = new Set<(state: UploadState) => void>();
