import type { Client, IngestOptions, UploadCall } from "./client.js";
import { QuernError, unreachable } from "./error.js";
import { parse } from "./json.js";
import type { DatasetEntry, DatasetMetadata, GrantedRole, IngestFilesRequest, Ingestion, Row, Share } from "./schema.gen.js";
import type { UploadFile } from "./upload.js";

/** The forms in which all rows of a dataset can be had. */
export type Format = "csv" | "json" | "ndjson" | "parquet" | "arrow";

/** Where a dataset is. */
export interface DatasetPath {
  username: string;
  namespace: string;
  datasetName: string;
}

/** Reads `namespace/dataset` or `owner/namespace/dataset`. */
export function parsePath(text: string): DatasetPath {
  const parts = text.split("/");
  if (parts.length === 2) parts.unshift("self");
  const [username, namespace, datasetName] = parts;
  if (parts.length !== 3 || !username || !namespace || !datasetName)
    throw new TypeError(`${JSON.stringify(text)} is not of the form namespace/dataset or owner/namespace/dataset`);
  return { username, namespace, datasetName };
}

/** A dataset as the caller sees it. Nothing is asked of the server until a method is called. */
export class Dataset {
  constructor(
    private readonly client: Client,
    readonly path: DatasetPath,
  ) {}

  /** Makes it, empty, and its namespace when it is the first in it. */
  create(): Promise<DatasetEntry> {
    const { namespace, datasetName } = this.path;
    return this.client.post("/ingest/new/{namespace}/{datasetName}", { path: { namespace, datasetName } });
  }

  /** What it holds: its columns, their types and what is known of their values, and how many rows. */
  async describe(): Promise<DatasetMetadata> {
    return (await this.client.get("/data/{username}/{namespace}/{datasetName}", { path: this.path })).metadata;
  }

  /**
   * Appends rows, all of them or none, and returns how many there were. They are stored once, however often the request
   * has to be sent. A dataset of the caller's that does not exist is made.
   */
  async append(rows: readonly object[]): Promise<number> {
    const headers = { "Idempotency-Key": `rows-${random()}` };
    const body = { data: rows as Row[] };
    const { username, ...own } = this.path;
    const stored =
      username === "self"
        ? await this.client.post("/ingest/{namespace}/{datasetName}", { path: own, headers, body })
        : await this.client.post("/ingest/{username}/{namespace}/{datasetName}", { path: this.path, headers, body });
    return stored.indexed;
  }

  /** Removes it with its rows, definition and shares, for good. */
  async delete(): Promise<void> {
    await this.client.delete("/data/{username}/{namespace}/{datasetName}/balefire", { path: this.path });
  }

  /**
   * All rows, as they are when this begins, in pieces. It fails with `CUT_OFF` when not all came: what was given until
   * then is not the dataset.
   */
  async *export(format: Format = "csv", signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    const address = this.client.address("/data/{username}/{namespace}/{datasetName}/export", this.path, { format });
    const answer = await this.client.retry(() => this.client.send("get", address, { signal }), signal);
    const reader = answer.body!.getReader();
    let bytes = 0;
    try {
      while (true) {
        const { done, value } = await reader.read().catch((cause: unknown) => Promise.reject(cutOff(cause, bytes)));
        if (done) return;
        bytes += value.length;
        yield value;
      }
    } finally {
      await reader.cancel().catch(() => undefined);
    }
  }

  /** All rows, one after the other, for what does not fit into memory. */
  async *rows(signal?: AbortSignal): AsyncGenerator<Row> {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const piece of this.export("ndjson", signal)) {
      const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line) yield parse(line) as Row;
    }
  }

  /** Who was given a role on it. */
  shares(): Promise<Share[]> {
    return this.client.get("/permissions/datasets/{username}/{namespace}/{datasetName}/shares", { path: this.path });
  }

  /** Gives a user a role on it, in place of any that the user had there. */
  async share(username: string, role: GrantedRole = "viewer"): Promise<void> {
    const body = { username, role };
    await this.client.post("/permissions/datasets/{username}/{namespace}/{datasetName}/shares", { path: this.path, body });
  }

  /** Takes a user's role on it away; it is 404 when there was none. */
  async unshare(username: string): Promise<void> {
    const body = { username };
    await this.client.delete("/permissions/datasets/{username}/{namespace}/{datasetName}/shares", { path: this.path, body });
  }

  /** Uploads files, makes rows of them and waits until that is done. */
  async ingest(files: readonly UploadFile[], how: IngestOptions = {}, upload: UploadCall = {}): Promise<Ingestion> {
    const session = await this.client.upload(files, upload);
    return this.client.followIngestion(await this.ingestSession(session.sessionId, how), { signal: upload.signal });
  }

  /** Queues the files of an upload session, and returns the ingestion's id. The same request is carried out once. */
  async ingestSession(sessionId: string, how: IngestOptions = {}): Promise<string> {
    const body: IngestFilesRequest = { ...how, sessionId };
    const headers = { "Idempotency-Key": `ingest-${await digest(JSON.stringify([this.path, body]))}` };
    const queued = await this.client.post("/data/{username}/{namespace}/{datasetName}/ingest", { path: this.path, headers, body });
    return queued.id;
  }
}

function cutOff(cause: unknown, bytes: number): unknown {
  const error = unreachable(cause);
  return error instanceof QuernError ? new QuernError(0, "CUT_OFF", `The export was cut off after ${bytes} bytes.`) : error;
}

/** A name that nothing else has. */
function random(): string {
  return hex(crypto.getRandomValues(new Uint8Array(16)));
}

/** Names a text. Pages without TLS have no digests; there a request that is made again is another one. */
async function digest(text: string): Promise<string> {
  const subtle = crypto.subtle as SubtleCrypto | undefined;
  return subtle ? hex(new Uint8Array(await subtle.digest("SHA-256", new TextEncoder().encode(text)))) : random();
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
