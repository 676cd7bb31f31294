import { Caller } from "./call.js";
import { Dataset, parsePath, type DatasetPath } from "./dataset.js";
import { QuernError } from "./error.js";
import { pause } from "./patience.js";
import { toResult, type Result } from "./result.js";
import type {
  Answer,
  AskRequest,
  CreatedToken,
  DatasetEntry,
  FileUpload,
  IngestFilesRequest,
  Ingestion,
  Knowledge,
  KnowledgeChange,
  KnowledgeState,
  Run,
  TokenRequest,
} from "./schema.gen.js";
import { ask, follow, type FollowOptions, type RunEvent } from "./stream.js";
import { Upload, type UploadFile } from "./upload.js";

/** A namespace, and whose it is where that is not the caller. */
export interface Place {
  namespace: string;
  owner?: string;
}

/** Where and how to ask. */
export interface AskOptions extends Place, FollowOptions {
  /** The conversation that the question goes on with. */
  conversation?: string;
  /** Further members of the request, such as `{ model: "embedded" }`. */
  how?: Partial<AskRequest>;
  /** Is told of each event of the run as it comes. */
  onEvent?: (event: RunEvent) => void;
}

/** How an upload goes. */
export interface UploadCall {
  /** A session to go on with. */
  session?: string;
  /** How many parts are sent at a time; 4 when left out. */
  parallel?: number;
  /** Is told the session before the first byte is sent, so that it can be written down. */
  onStart?: (sessionId: string) => void;
  /** Is told how many bytes of how many are there. */
  onProgress?: (sent: number, size: number) => void;
  signal?: AbortSignal;
}

/** What to make of files, without the session that they are in. */
export type IngestOptions = Omit<IngestFilesRequest, "sessionId">;

/** Talks to one server in the name of one token, or of who is signed in to it in the browser. Every failure is a QuernError. */
export class Client extends Caller {
  /** The datasets that the caller sees, by owner, namespace and name. */
  async datasets(): Promise<DatasetEntry[]> {
    const found: DatasetEntry[] = [];
    for (let cursor: string | undefined; ;) {
      const address = this.address("/data", {}, { limit: 1000, cursor });
      const [page, next] = await this.retry(async () => {
        const answer = await this.send("get", address, {});
        return [(await answer.json()) as DatasetEntry[], answer.headers.get("X-Next-Cursor")] as const;
      });
      found.push(...page);
      if (!next || next === cursor) return found;
      cursor = next;
    }
  }

  /** A dataset, as `namespace/dataset` or `owner/namespace/dataset`. */
  dataset(path: string | DatasetPath): Dataset {
    return new Dataset(this, typeof path === "string" ? parsePath(path) : path);
  }

  /** Runs SQL over what the caller sees. The result says when it was cut. */
  async query(place: string | Place, sql: string, signal?: AbortSignal): Promise<Result> {
    const body = { ...where(place), query: sql, includeMetadata: true };
    const { data, metadata } = await this.post("/query", { body, signal });
    return toResult(data, { total: metadata.totalCount, truncated: metadata.truncated, query: metadata.executedQuery });
  }

  /** Asks in words and gives the events of the run, to its end. The question is sent once. */
  stream(question: string, options: AskOptions): AsyncGenerator<RunEvent> {
    const { conversation } = options;
    const body = { ...options.how, ...where(options), query: question, ...(conversation && { conversationId: conversation }) };
    return ask(this, body, options);
  }

  /** Asks in words and gives the answer. A run that fails is a QuernError without a status. */
  ask(question: string, options: AskOptions): Promise<Answer> {
    return collect(this.stream(question, options), options.onEvent);
  }

  /** The events of a run behind the one with the id `last`, to its end. */
  follow(runId: string, last = "", options: FollowOptions = {}): AsyncGenerator<RunEvent> {
    return follow(this, runId, last, options);
  }

  /** Where a run has got to. */
  run(runId: string): Promise<Run> {
    return this.get("/query/runs/{runId}", { path: { runId } });
  }

  /** Says whether an answer was good. */
  async rate(runId: string, thumbsUp: boolean, comment?: string): Promise<void> {
    await this.post("/query/runs/{runId}/feedback", { path: { runId }, body: { thumbsUp, ...(comment && { comment }) } });
  }

  /** Sends files and gives the session that then holds them. What a session already has is not sent again. */
  async upload(files: readonly UploadFile[], call: UploadCall = {}): Promise<FileUpload> {
    let started = false;
    const upload = new Upload(this, files, {
      sessionId: call.session,
      parallel: call.parallel ?? 4,
      onChange: ({ sessionId, sent, size }) => {
        if (!sessionId) return;
        call.onProgress?.(sent, size);
        if (!started) call.onStart?.(sessionId);
        started = true;
      },
    });
    const stop = () => upload.pause();
    if (call.signal?.aborted) throw new DOMException("cancelled", "AbortError");
    call.signal?.addEventListener("abort", stop, { once: true });
    const { status, error, sessionId } = await upload.start().finally(() => call.signal?.removeEventListener("abort", stop));
    if (error) throw error;
    if (status !== "completed") throw new DOMException("cancelled", "AbortError");
    return this.get("/file-upload/{sessionId}", { path: { sessionId } });
  }

  /** Ends a session and frees what it has stored. */
  async abortUpload(sessionId: string): Promise<void> {
    await this.post("/file-upload/{sessionId}/abort", { path: { sessionId } });
  }

  /** Where an ingestion has got to. */
  ingestion(ingestionId: string): Promise<Ingestion> {
    return this.get("/ingestionTracking/{ingestionId}", { path: { ingestionId } });
  }

  /** Waits until an ingestion is done, telling `onLook` of every look at it. */
  async followIngestion(id: string, options: { onLook?: (now: Ingestion) => void; signal?: AbortSignal } = {}): Promise<Ingestion> {
    for (let wait = 100; ; wait = Math.min(2 * wait, 2000)) {
      const now = await this.ingestion(id);
      options.onLook?.(now);
      if (now.status === "completed" || now.status === "failed") return now;
      await pause(wait, options.signal);
    }
  }

  /** What is taught about a namespace. */
  knowledge(place: string | Place): Promise<KnowledgeState> {
    return this.get("/knowledge/{username}/{namespace}", { path: where(place) });
  }

  /** Saves a document in place of a version; it is 409 when another is current. */
  replaceKnowledge(place: string | Place, version: number, document: Knowledge): Promise<KnowledgeState> {
    const headers = { "If-Match": `"${version}"` };
    return this.put("/knowledge/{username}/{namespace}", { path: where(place), headers, body: document });
  }

  /** Adds entries, in place of those of the same name, and takes others away; it is 409 when another version is current. */
  changeKnowledge(place: string | Place, version: number, change: KnowledgeChange): Promise<KnowledgeState> {
    const headers = { "If-Match": `"${version}"` };
    return this.patch("/knowledge/{username}/{namespace}", { path: where(place), headers, body: change });
  }

  /** Makes an API token; its secret is in `token`, now and never again. */
  createToken(name: string, how: Omit<TokenRequest, "name"> = {}): Promise<CreatedToken> {
    return this.post("/user/token", { body: { ...how, name } });
  }

  /** Takes a token's power away at once. */
  async revokeToken(id: string): Promise<void> {
    await this.delete("/user/token/{id}", { path: { id } });
  }
}

function where(place: string | Place): { username: string; namespace: string } {
  const { namespace, owner } = typeof place === "string" ? { namespace: place, owner: undefined } : place;
  return { username: owner ?? "self", namespace };
}

/** Lays the events of a run over each other until they are its answer. */
export async function collect(events: AsyncIterable<RunEvent>, onEvent?: (event: RunEvent) => void): Promise<Answer> {
  let answer: Answer = { runId: "", conversationId: "", response: "", steps: [] };
  for await (const event of events) {
    onEvent?.(event);
    if (event.type === "run-started") answer = { ...answer, runId: event.data.runId, conversationId: event.data.conversationId };
    else if (event.type === "step") answer.steps.push(event.data);
    else if (event.type === "answer") answer = { ...answer, ...event.data };
    else if (event.type === "error") throw new QuernError(0, event.data.error_code, event.data.message);
  }
  return answer;
}
