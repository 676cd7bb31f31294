import type { Caller } from "./call.js";
import { QuernError, unreachable } from "./error.js";
import { pause } from "./patience.js";
import type { FileProgress } from "./schema.gen.js";

/** A file to send: a browser's File, or anything of a name that can be cut into pieces. */
export interface UploadFile {
  readonly name: string;
  readonly size: number;
  slice(start: number, end: number): Blob;
}

/** What is known of one file on its way. */
export interface FileState {
  fileId: string;
  name: string;
  size: number;
  sent: number;
  done: boolean;
}

/** Where an upload has got to. */
export interface UploadState {
  sessionId: string;
  status: "running" | "paused" | "completed" | "failed" | "aborted";
  sent: number;
  size: number;
  files: FileState[];
  error?: QuernError;
}

export interface UploadOptions {
  /** A session to go on with; its files are found by name and size. */
  sessionId?: string;
  /** How many parts are sent at a time. */
  parallel?: number;
  /** Is told of every change, as a new value. */
  onChange?: (state: UploadState) => void;
}

interface Part {
  file: UploadFile;
  state: FileState;
  number: number;
  size: number;
  offset: number;
  url: string;
}

const tries = 8;

/**
 * Sends files in parts, several at a time. `pause` keeps what has arrived,
 * `resume` goes on with what has not; an Upload with a `sessionId` does the
 * same after a page was closed.
 */
export class Upload {
  private state: UploadState = {
    sessionId: "",
    status: "paused",
    sent: 0,
    size: 0,
    files: [],
  };
  private stop = new AbortController();
  private flying = new Map<Part, number>();

  constructor(
    private readonly client: Caller,
    private readonly files: readonly UploadFile[],
    private readonly options: UploadOptions = {},
  ) {}

  get current(): UploadState {
    return this.state;
  }

  /** Begins the session and sends everything; resolves when it is complete, paused or failed. */
  async start(): Promise<UploadState> {
    if (this.state.status === "running") return this.state;
    this.stop = new AbortController();
    this.tell({ status: "running", error: undefined });
    try {
      const parts = this.state.sessionId || this.options.sessionId ? await this.rejoin() : await this.prepare();
      await this.sendAll(parts);
      this.tell({ status: "completed", sent: this.state.size });
    } catch (cause) {
      if (this.current.status === "running") this.tell({ status: "failed", error: toError(cause) });
    }
    return this.state;
  }

  /** Stops sending; parts that have arrived stay. */
  pause(): void {
    if (this.state.status !== "running") return;
    this.tell({ status: "paused" });
    this.stop.abort();
  }

  resume(): Promise<UploadState> {
    return this.start();
  }

  /** Ends the session and frees what has arrived. */
  async abort(): Promise<void> {
    this.tell({ status: "aborted" });
    this.stop.abort();
    if (this.state.sessionId)
      await this.client.post("/file-upload/{sessionId}/abort", {
        path: { sessionId: this.state.sessionId },
      });
  }

  private async prepare(): Promise<Part[]> {
    const filesToUpload = this.files.map((file) => ({
      filename: file.name,
      size: file.size,
    }));
    const session = await this.client.post("/file-upload/prepare", {
      body: { filesToUpload },
      signal: this.stop.signal,
    });
    const files = session.files.map((entry, i) => fileState(entry.fileId, this.files[i]!));
    this.tell({
      sessionId: session.sessionId,
      files,
      size: sum(files.map((file) => file.size)),
    });
    return session.files.flatMap((entry, i) =>
      entry.presignedUrls.map(({ url, partSize }, n) => ({
        file: this.files[i]!,
        state: files[i]!,
        number: n + 1,
        size: partSize,
        offset: n * entry.partSize,
        url,
      })),
    );
  }

  /** Finds out what has arrived and gets addresses for what has not. */
  private async rejoin(): Promise<Part[]> {
    const path = { sessionId: this.state.sessionId || this.options.sessionId! };
    const session = await this.client.get("/file-upload/{sessionId}", {
      path,
      signal: this.stop.signal,
    });
    if (session.sessionStatus === "aborted") throw new QuernError(409, "CONFLICT", "The upload was ended meanwhile. Start it again.");
    const parts: Part[] = [];
    const files: FileState[] = [];
    for (const entry of session.files) {
      const file = this.files.find((one) => one.name === entry.filename && one.size === entry.size);
      const state = {
        fileId: entry.fileId,
        name: entry.filename,
        size: entry.size,
        sent: arrived(entry),
        done: entry.fileStatus === "completed",
      };
      files.push(state);
      if (state.done) continue;
      if (!file) throw new QuernError(0, "FILE_MISSING", `Choose ${entry.filename} again: it is not complete.`);
      const renewed = await this.client.post("/file-upload/{sessionId}/files/{fileId}/urls", {
        path: { ...path, fileId: entry.fileId },
        body: {},
        signal: this.stop.signal,
      });
      for (const { partNumber, url, partSize } of renewed.presignedUrls) {
        parts.push({
          file,
          state,
          number: partNumber,
          size: partSize,
          offset: (partNumber - 1) * entry.partSize,
          url,
        });
      }
    }
    this.tell({
      ...path,
      files,
      size: sum(files.map((file) => file.size)),
      sent: sum(files.map((file) => file.sent)),
    });
    return parts;
  }

  private async sendAll(parts: Part[]): Promise<void> {
    const left = new Map<FileState, number>(this.state.files.map((file) => [file, 0]));
    for (const part of parts) left.set(part.state, (left.get(part.state) ?? 0) + 1);
    for (const [state, count] of left) if (count === 0 && !state.done) await this.finish(state);
    const queue = [...parts];
    const worker = async () => {
      for (let part = queue.shift(); part; part = queue.shift()) {
        await this.sendPart(part);
        const rest = (left.get(part.state) ?? 1) - 1;
        left.set(part.state, rest);
        if (rest === 0) await this.finish(part.state);
      }
    };
    const parallel = Math.min(this.options.parallel ?? 3, Math.max(queue.length, 1));
    try {
      await Promise.all(Array.from({ length: parallel }, worker));
    } finally {
      queue.length = 0;
    }
  }

  private async sendPart(part: Part): Promise<void> {
    for (let tried = 1; ; tried++) {
      try {
        this.flying.set(part, 0);
        await put(part, this.stop.signal, (sent) => {
          this.flying.set(part, sent);
          this.count();
        });
        part.state.sent += part.size;
        this.flying.delete(part);
        this.count();
        return;
      } catch (cause) {
        this.flying.delete(part);
        this.count();
        if (this.stop.signal.aborted || tried >= tries) throw cause;
        await pause(Math.min(400 * 2 ** tried, 15_000), this.stop.signal);
        await this.renew(part).catch(() => undefined); // the next try tells why
      }
    }
  }

  private async renew(part: Part): Promise<void> {
    const renewed = await this.client.post("/file-upload/{sessionId}/files/{fileId}/urls", {
      path: { sessionId: this.state.sessionId, fileId: part.state.fileId },
      body: { partNumbers: [part.number] },
      signal: this.stop.signal,
    });
    part.url = renewed.presignedUrls[0]?.url ?? part.url;
  }

  private async finish(state: FileState): Promise<void> {
    const path = { sessionId: this.state.sessionId, fileId: state.fileId };
    const session = await this.client.get("/file-upload/{sessionId}", {
      path: { sessionId: path.sessionId },
      signal: this.stop.signal,
    });
    const entry = session.files.find((file) => file.fileId === state.fileId);
    if (entry && entry.fileStatus !== "completed") {
      const body = { uploadId: entry.uploadId, key: entry.key };
      await this.client.post("/file-upload/{sessionId}/files/{fileId}/finish", {
        path,
        body,
        signal: this.stop.signal,
      });
    }
    state.done = true;
    this.count();
  }

  private count(): void {
    for (const file of this.state.files) if (file.done) file.sent = file.size;
    const flying = [...this.flying].reduce((all, [, sent]) => all + sent, 0);
    this.tell({
      sent: sum(this.state.files.map((file) => file.sent)) + flying,
    });
  }

  private tell(change: Partial<UploadState>): void {
    this.state = { ...this.state, ...change };
    const files = this.state.files.map((file) => {
      const flying = [...this.flying].reduce((all, [part, sent]) => (part.state === file ? all + sent : all), 0);
      return { ...file, sent: Math.min(file.size, file.sent + flying) };
    });
    this.options.onChange?.({ ...this.state, files });
  }
}

function fileState(fileId: string, file: UploadFile): FileState {
  return { fileId, name: file.name, size: file.size, sent: 0, done: false };
}

function arrived(entry: FileProgress): number {
  return entry.fileStatus === "completed" ? entry.size : sum(entry.parts.map((part) => part.size));
}

function sum(numbers: number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

function toError(cause: unknown): QuernError {
  const error = unreachable(cause);
  return error instanceof QuernError ? error : new QuernError(0, "INTERNAL", String(cause));
}

/** Puts one part to its address. Browsers tell how much is gone only through XMLHttpRequest. */
function put(part: Part, signal: AbortSignal, onSent: (bytes: number) => void): Promise<void> {
  const body = part.file.slice(part.offset, part.offset + part.size);
  if (typeof XMLHttpRequest === "undefined") return putWithFetch(part.url, body, signal);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    const fail = (cause: unknown) => {
      signal.removeEventListener("abort", stop);
      reject(cause as Error);
    };
    request.open("PUT", part.url);
    request.upload.onprogress = (event) => onSent(event.loaded);
    request.onload = () => {
      if (request.status < 200 || request.status > 299) return fail(refused(request.status));
      signal.removeEventListener("abort", stop);
      resolve();
    };
    request.onerror = () => fail(new QuernError(0, "UNREACHABLE", "The part could not be sent."));
    request.onabort = () => fail(new DOMException("cancelled", "AbortError"));
    if (signal.aborted) return fail(new DOMException("cancelled", "AbortError"));
    signal.addEventListener("abort", stop, { once: true });
    request.send(body);
  });
}

async function putWithFetch(url: string, body: Blob, signal: AbortSignal): Promise<void> {
  const answer = await fetch(url, { method: "PUT", body, signal }).catch((cause: unknown) => Promise.reject(unreachable(cause)));
  if (!answer.ok) throw refused(answer.status);
}

function refused(status: number): QuernError {
  return new QuernError(status, "PART_REFUSED", `A part was refused with ${status}.`);
}
