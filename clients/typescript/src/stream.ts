import { parse, type Client } from "./call";
import { QuernError, unreachable } from "./error";
import type {
  AnswerEvent,
  AnswerStep,
  AskRequest,
  ErrorEvent,
  PlanEvent,
  QueryExecutingEvent,
  RunStartedEvent,
  StepStartedEvent,
} from "./schema.gen";

/** One event of a run, as its stream tells it. */
export type RunEvent =
  | { type: "run-started"; data: RunStartedEvent }
  | { type: "planningStarted"; data: object }
  | { type: "plan"; data: PlanEvent }
  | { type: "stepStarted"; data: StepStartedEvent }
  | { type: "queryExecuting"; data: QueryExecutingEvent }
  | { type: "step"; data: AnswerStep }
  | { type: "answerStarted"; data: object }
  | { type: "answer"; data: AnswerEvent }
  | { type: "error"; data: ErrorEvent };

export interface FollowOptions {
  signal?: AbortSignal;
  /** Is told when the connection was lost and is being made again, and when it is back. */
  onConnection?: (state: "lost" | "back") => void;
}

/** One server-sent event: its id, its name, its data. */
export interface ServerEvent {
  id: string;
  event: string;
  data: string;
}

const attempts = 40;

/** Asks a question and gives the events of its run to the end, connecting again where the stream is cut. */
export async function* ask(client: Client, question: AskRequest, options: FollowOptions = {}): AsyncGenerator<RunEvent> {
  const accept = { Accept: "text/event-stream" };
  const answer = await client.send("post", client.address("/query/ask"), {
    body: question,
    headers: accept,
    signal: options.signal,
  });
  let run = "";
  let last = "";
  try {
    for await (const event of events(answer)) {
      const told = decode(event);
      last = event.id || last;
      if (told.type === "run-started") run = told.data.runId;
      yield told;
      if (isEnd(told)) return;
    }
  } catch (cause) {
    if (!run || isAbort(cause)) throw cause;
  }
  if (!run) throw new QuernError(0, "UNREACHABLE", "The connection was lost before the question was taken.");
  yield* follow(client, run, last, options);
}

/** Gives the events of a run after the one with the id `last`, to its end, connecting again where the stream is cut. */
export async function* follow(client: Client, runId: string, last = "", options: FollowOptions = {}): AsyncGenerator<RunEvent> {
  let failures = 0;
  while (true) {
    try {
      const headers: Record<string, string> = { Accept: "text/event-stream" };
      if (last) headers["Last-Event-ID"] = last;
      const address = client.address("/query/runs/{runId}/events", { runId });
      const answer = await client.send("get", address, {
        headers,
        signal: options.signal,
      });
      if (failures > 0) options.onConnection?.("back");
      for await (const event of events(answer)) {
        failures = 0;
        const told = decode(event);
        last = event.id || last;
        yield told;
        if (isEnd(told)) return;
      }
    } catch (cause) {
      if (isAbort(cause) || !(cause instanceof QuernError && cause.passing) || failures >= attempts) throw cause;
    }
    if (failures === 0) options.onConnection?.("lost");
    failures++;
    await pause(Math.min(250 * 2 ** failures, 5000), options.signal);
  }
}

/** Reads server-sent events from an answer, as the standard says. */
export async function* events(answer: Response): AsyncGenerator<ServerEvent> {
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let one = { id: "", event: "message", data: "" };
  try {
    while (true) {
      const { done, value } = await reader.read().catch((cause: unknown) => Promise.reject(unreachable(cause)));
      if (done) return;
      rest += value;
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line === "") {
          if (one.data) yield { ...one, data: one.data.slice(0, -1) };
          one = { id: one.id, event: "message", data: "" };
          continue;
        }
        const colon = line.indexOf(":");
        const name = colon < 0 ? line : line.slice(0, colon);
        const text = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
        if (name === "data") one.data += text + "\n";
        else if (name === "event") one.event = text;
        else if (name === "id") one.id = text;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function decode(event: ServerEvent): RunEvent {
  return { type: event.event, data: parse(event.data) } as RunEvent;
}

function isEnd(event: RunEvent): boolean {
  return event.type === "answer" || event.type === "error";
}

function isAbort(cause: unknown): boolean {
  return cause instanceof DOMException && cause.name === "AbortError";
}

/** Waits, or fails with an AbortError when the signal says so. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(new DOMException("cancelled", "AbortError"));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
