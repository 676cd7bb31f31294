import type { Caller } from "./call.js";
import { QuernError, unreachable } from "./error.js";
import { parse } from "./json.js";
import { Patience, pause } from "./patience.js";
import type {
  AnswerEvent,
  AnswerStep,
  AskRequest,
  ErrorEvent,
  PlanEvent,
  QueryExecutingEvent,
  RunStartedEvent,
  StepStartedEvent,
} from "./schema.gen.js";

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
  /** How many milliseconds a run is looked for whose stream was cut; the client's patience when left out. */
  patience?: number;
  /** Is told when the connection was lost and is being made again, and when it is back. */
  onConnection?: (state: "lost" | "back") => void;
}

/** One server-sent event: its id, its name, its data. */
export interface ServerEvent {
  id: string;
  event: string;
  data: string;
}

const stream = { Accept: "text/event-stream" };
/** How many milliseconds a stream may be silent: servers send a line much more often. */
const silence = 90_000;
/** The most characters of one event. */
const longestEvent = 64 << 20;

/**
 * Asks a question and gives the events of its run to the end, each once. The question is sent once: where the
 * stream is cut after that, the run is followed from the last event on.
 */
export async function* ask(caller: Caller, question: AskRequest, options: FollowOptions = {}): AsyncGenerator<RunEvent> {
  const patience = new Patience(caller.patience);
  const place = { run: "", last: "" };
  while (!place.run) {
    try {
      const answer = await caller.send("post", caller.address("/query/ask"), { body: question, headers: stream, signal: options.signal });
      if (yield* take(answer, place)) return;
      throw new QuernError(0, "UNREACHABLE", "The stream of the run's events was cut.");
    } catch (cause) {
      if (place.run && cause instanceof QuernError && cause.passing) break;
      const taken = cause instanceof QuernError && cause.status === 0 && !cause.unsent;
      if (taken) throw new QuernError(0, "LOST", "The connection was lost before the server said that it took the question.");
      const wait = cause instanceof QuernError ? patience.pause(cause) : undefined;
      if (wait === undefined) throw cause;
      await pause(wait, options.signal);
    }
  }
  yield* follow(caller, place.run, place.last, options);
}

/** Gives the events of a run after the one with the id `last`, to its end, connecting again where the stream is cut. */
export async function* follow(caller: Caller, runId: string, last = "", options: FollowOptions = {}): AsyncGenerator<RunEvent> {
  const patience = new Patience(options.patience ?? caller.patience);
  const place = { run: runId, last };
  const address = caller.address("/query/runs/{runId}/events", { runId });
  let lost = false;
  while (true) {
    const before = place.last;
    let error = new QuernError(0, "UNREACHABLE", "The stream of the run's events was cut.");
    try {
      const headers = { ...stream, ...(place.last && { "Last-Event-ID": place.last }) };
      const answer = await caller.send("get", address, { headers, signal: options.signal });
      if (lost) options.onConnection?.("back");
      lost = false;
      if (yield* take(answer, place)) return;
    } catch (cause) {
      if (!(cause instanceof QuernError)) throw cause;
      error = cause;
    }
    if (place.last !== before) patience.begin();
    const wait = patience.pause(error);
    if (wait === undefined) throw error;
    if (!lost) options.onConnection?.("lost");
    lost = true;
    await pause(wait, options.signal);
  }
}

/** Gives the events of an answer that have not come before, and says whether the last of them ended the run. */
async function* take(answer: Response, place: { run: string; last: string }): AsyncGenerator<RunEvent, boolean> {
  for await (const event of events(answer)) {
    if (event.id && Number(event.id) <= Number(place.last)) continue;
    const told = decode(event);
    place.last = event.id || place.last;
    if (told.type === "run-started") place.run = told.data.runId;
    yield told;
    if (isEnd(told)) return true;
  }
  return false;
}

/** Reads server-sent events from an answer, as the standard says. */
export async function* events(answer: Response): AsyncGenerator<ServerEvent> {
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let one = { id: "", event: "message", data: "" };
  try {
    while (true) {
      const { done, value } = await heard(reader.read());
      if (done) return;
      rest += value;
      if (rest.length + one.data.length > longestEvent) throw new QuernError(0, "CUT_OFF", "An event of the server is too long.");
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

/** Is the next piece of a stream; a server that says nothing for too long cannot be reached. */
async function heard<T>(read: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silent = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new QuernError(0, "UNREACHABLE", "The server has been silent for too long.")), silence);
  });
  try {
    return await Promise.race([read, silent]);
  } catch (cause) {
    throw unreachable(cause);
  } finally {
    clearTimeout(timer);
  }
}

function decode(event: ServerEvent): RunEvent {
  try {
    return { type: event.event, data: parse(event.data) } as RunEvent;
  } catch {
    throw new QuernError(0, "CUT_OFF", "An event of the server cannot be read.");
  }
}

function isEnd(event: RunEvent): boolean {
  return event.type === "answer" || event.type === "error";
}
