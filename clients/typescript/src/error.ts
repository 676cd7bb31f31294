import type { ErrorResponse, SubError } from "./schema.gen.js";

/** What the server answers a request with that it does not fulfil, or why it could not be asked. */
export class QuernError extends Error {
  constructor(
    /** The HTTP status; 0 when no answer came. */
    readonly status: number,
    /** The stable name of the failure; `UNREACHABLE` when no answer came. */
    readonly code: string,
    message: string,
    /** One entry for each field that is wrong. */
    readonly fields: SubError[] = [],
    /** How many seconds to wait before asking again, where the server says so. */
    readonly retryAfter?: number,
    /** Names the request in the server's log; empty when no answer came. */
    readonly requestId = "",
    /** Whether the server cannot have seen the request; browsers do not tell. */
    readonly unsent = false,
  ) {
    super(message);
    this.name = "QuernError";
  }

  /** Whether the same request may succeed a little later. */
  get passing(): boolean {
    return this.code === "UNREACHABLE" || [408, 429, 500, 502, 503, 504].includes(this.status);
  }

  /** The first field that is wrong; empty when it is none. */
  get field(): string {
    for (const { message } of this.fields) {
      const [field = "", rest] = message.split(": ", 2);
      if (rest !== undefined && !field.includes(" ")) return field;
    }
    return "";
  }
}

/** Reads the error out of an answer, whatever its body is. */
export async function readError(answer: Response): Promise<QuernError> {
  const wait = Number(answer.headers.get("Retry-After") ?? NaN);
  const retryAfter = Number.isFinite(wait) ? wait : undefined;
  const requestId = answer.headers.get("X-Request-Id") ?? "";
  try {
    const body = (await answer.json()) as ErrorResponse;
    return new QuernError(answer.status, body.error_code, body.message, body.sub_errors ?? [], retryAfter, requestId);
  } catch {
    return new QuernError(answer.status, "INTERNAL", `The server answered ${answer.status}.`, [], retryAfter, requestId);
  }
}

/** Turns what fetch throws into an error of ours; a cancelled request stays what it is. */
export function unreachable(cause: unknown): unknown {
  if (cause instanceof DOMException && cause.name === "AbortError") return cause;
  if (cause instanceof QuernError) return cause;
  return new QuernError(0, "UNREACHABLE", "The server cannot be reached.", [], undefined, "", isUnsent(cause));
}

const unconnected = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);

/** Whether Node says that there was no connection. */
function isUnsent(cause: unknown): boolean {
  const reason = cause instanceof Error ? (cause.cause as { code?: unknown } | undefined) : undefined;
  return typeof reason?.code === "string" && unconnected.has(reason.code);
}
