import { QuernError, readError, unreachable } from "./error.js";
import { parse } from "./json.js";
import { Patience, pause } from "./patience.js";
import type { paths } from "./schema.gen.js";

type Verb = "get" | "post" | "put" | "patch" | "delete";

/** The paths of the contract that have this method. */
export type PathWith<V extends Verb> = {
  [P in keyof paths]: paths[P] extends Record<V, object> ? P : never;
}[keyof paths];

type Operation<P extends keyof paths, V extends Verb> = paths[P] extends Record<V, infer O> ? O : never;
type Json<T> = T extends { content: { "application/json": infer B } }
  ? B
  : T extends { content: { "text/plain": infer B } }
    ? B
    : undefined;
type Member<T, K extends PropertyKey> = T extends { [k in K]?: infer V } ? V : never;
type Parameters<O> = Member<O, "parameters">;
type Answers<O> = Member<O, "responses">;

/** The body of the answer that an operation succeeds with. */
export type Success<P extends keyof paths, V extends Verb> = {
  [S in keyof Answers<Operation<P, V>>]: S extends 200 | 201 | 202 | 204 ? Json<Answers<Operation<P, V>>[S]> : never;
}[keyof Answers<Operation<P, V>>];

/** What a call needs: the parameters of its path, those of its query, and its body. */
export interface Arguments<P extends keyof paths, V extends Verb> {
  path?: Member<Parameters<Operation<P, V>>, "path">;
  query?: Member<Parameters<Operation<P, V>>, "query">;
  headers?: Record<string, string>;
  body?: Json<NonNullable<Member<Operation<P, V>, "requestBody">>>;
  signal?: AbortSignal;
}

/** The arguments of any call, once they were checked. */
interface Loose {
  path?: object;
  query?: object;
  headers?: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal;
}

export interface Options {
  /** The address of the API; the page's own server when left out. */
  base?: string;
  /** An API token. Without one, requests carry the browser's sign-in. */
  token?: string;
  fetch?: typeof fetch;
  /** How many milliseconds a request is tried again for that got no answer or a passing refusal; two minutes when left out. */
  patience?: number;
  /** Is told why a request failed that is about to be sent again. */
  onRetry?: (error: QuernError) => void;
  /** Is told of every answer, with its status and headers. */
  onAnswer?: (answer: Response) => void;
}

/** Calls the operations of the contract, by their paths. Every method fails with a QuernError. */
export class Caller {
  readonly base: string;
  readonly patience: number;
  private readonly options: Options;

  constructor(options: Options = {}) {
    this.base = (options.base ?? "/api/v1").replace(/\/$/, "");
    this.patience = options.patience ?? 120_000;
    this.options = options;
  }

  get<P extends PathWith<"get">>(path: P, args: Arguments<P, "get"> = {}): Promise<Success<P, "get">> {
    return this.call("get", path, args as Loose) as Promise<Success<P, "get">>;
  }
  post<P extends PathWith<"post">>(path: P, args: Arguments<P, "post"> = {}): Promise<Success<P, "post">> {
    return this.call("post", path, args as Loose) as Promise<Success<P, "post">>;
  }
  put<P extends PathWith<"put">>(path: P, args: Arguments<P, "put"> = {}): Promise<Success<P, "put">> {
    return this.call("put", path, args as Loose) as Promise<Success<P, "put">>;
  }
  patch<P extends PathWith<"patch">>(path: P, args: Arguments<P, "patch"> = {}): Promise<Success<P, "patch">> {
    return this.call("patch", path, args as Loose) as Promise<Success<P, "patch">>;
  }
  delete<P extends PathWith<"delete">>(path: P, args: Arguments<P, "delete"> = {}): Promise<Success<P, "delete">> {
    return this.call("delete", path, args as Loose) as Promise<Success<P, "delete">>;
  }

  /** The address of an operation, for links that the browser follows by itself. */
  address(path: string, values: object = {}, query: object = {}): string {
    return this.base + fill(path, values) + search(query);
  }

  /** Sends a request once and gives the answer as it comes, for streams. */
  async send(
    verb: string,
    address: string,
    init: {
      body?: unknown;
      headers?: Record<string, string>;
      signal?: AbortSignal;
    },
  ): Promise<Response> {
    const headers: Record<string, string> = { ...init.headers };
    const text = typeof init.body === "string";
    if (init.body !== undefined) headers["Content-Type"] ??= text ? "text/plain" : "application/json";
    if (this.options.token) headers["Authorization"] = `Bearer ${this.options.token}`;
    let answer: Response;
    try {
      answer = await (this.options.fetch ?? fetch)(address, {
        method: verb.toUpperCase(),
        headers,
        body: init.body === undefined ? undefined : text ? (init.body as string) : JSON.stringify(init.body),
        signal: init.signal,
        credentials: this.options.token ? "omit" : "same-origin",
        cache: "no-store",
      });
    } catch (cause) {
      throw unreachable(cause);
    }
    this.options.onAnswer?.(answer);
    if (!answer.ok) throw await readError(answer);
    return answer;
  }

  /** Tries until it succeeds, fails for good, or patience ends. */
  async retry<T>(attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const patience = new Patience(this.patience);
    while (true) {
      try {
        return await attempt();
      } catch (cause) {
        const wait = cause instanceof QuernError ? patience.pause(cause) : undefined;
        if (wait === undefined) throw cause;
        this.options.onRetry?.(cause as QuernError);
        await pause(wait, signal);
      }
    }
  }

  private call(verb: Verb, path: string, args: Loose): Promise<unknown> {
    const address = this.address(path, args.path, args.query);
    return this.retry(async () => read(await this.send(verb, address, args)), args.signal);
  }
}

/** Reads an answer as a whole. */
async function read(answer: Response): Promise<unknown> {
  if (answer.status === 204) return undefined;
  const text = await answer.text().catch((cause: unknown) => Promise.reject(unreachable(cause)));
  if (!text) return undefined;
  const type = answer.headers.get("Content-Type") ?? "";
  if (!type.includes("json")) return text;
  try {
    return parse(text);
  } catch {
    throw new QuernError(answer.status, "CUT_OFF", "The server's answer cannot be read.");
  }
}

function fill(path: string, values: object): string {
  const known = values as Record<string, unknown>;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = known[name];
    if (value === undefined || value === "") throw new Error(`${path} needs ${name}`);
    return encodeURIComponent(String(value));
  });
}

function search(query: object): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== "") pairs.append(name, String(one));
    }
  }
  const text = pairs.toString();
  return text && `?${text}`;
}
