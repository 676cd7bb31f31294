import type { ErrorResponse, SubError } from "./schema.gen";

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
  ) {
    super(message);
    this.name = "QuernError";
  }

  /** Whether the same request may succeed a little later. */
  get passing(): boolean {
    return this.status === 0 || this.status === 429 || this.status === 502 || this.status === 503 || this.status === 504;
  }
}

/** Reads the error out of an answer, whatever its body is. */
export async function readError(answer: Response): Promise<QuernError> {
  const wait = Number(answer.headers.get("Retry-After") ?? NaN);
  const retryAfter = Number.isFinite(wait) ? wait : undefined;
  try {
    const body = (await answer.json()) as ErrorResponse;
    return new QuernError(answer.status, body.error_code, body.message, body.sub_errors ?? [], retryAfter);
  } catch {
    return new QuernError(answer.status, "INTERNAL", `The server answered ${answer.status}.`, [], retryAfter);
  }
}

/** Turns what fetch throws into an error of ours; a cancelled request stays what it is. */
export function unreachable(cause: unknown): unknown {
  if (cause instanceof DOMException && cause.name === "AbortError") return cause;
  if (cause instanceof QuernError) return cause;
  return new QuernError(0, "UNREACHABLE", "The server cannot be reached.");
}
