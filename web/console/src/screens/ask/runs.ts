import {
  ask,
  follow,
  QuernError,
  type Answer,
  type AnswerEvent,
  type AnswerStep,
  type AskRequest,
  type RunEvent,
  type Turn,
} from "@quern/client";
import { useSyncExternalStore } from "react";
import { client } from "../../api/client";

/** A step as far as it has got. */
export interface StepView {
  index: number;
  instruction: string;
  running: boolean;
  done?: AnswerStep;
}

/** A question and what has come of it so far: live, or as it was stored. */
export interface RunView {
  runId: string;
  conversationId: string;
  question: string;
  status: "running" | "completed" | "failed";
  plan: string[];
  reasoning: string;
  steps: StepView[];
  answering: boolean;
  answer?: AnswerEvent;
  error?: string;
  cancelled?: boolean;
  lost: boolean;
}

const runs = new Map<string, RunView>();
const followers = new Map<string, AbortController>();
const listeners = new Set<() => void>();
const keptRuns = 50;
/** How many milliseconds a run is looked for whose connection was lost. */
const patience = 180_000;

function put(run: RunView): void {
  runs.delete(run.runId);
  runs.set(run.runId, run);
  for (const id of runs.keys()) {
    if (runs.size <= keptRuns) break;
    if (!followers.has(id)) runs.delete(id);
  }
  for (const listener of listeners) listener();
}

/** The run as this page follows it, if it does. */
export function useLiveRun(runId: string): RunView | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => runs.get(runId),
  );
}

/** The runs of a conversation that were begun on this page, oldest first. */
export function liveRuns(conversationId: string): RunView[] {
  return [...runs.values()].filter((run) => run.conversationId === conversationId).sort((a, b) => a.runId.localeCompare(b.runId));
}

/** Asks a question and follows its run to the end, whichever screen is shown. Resolves when the server has taken it. */
export function begin(request: AskRequest): Promise<RunView> {
  const stop = new AbortController();
  return new Promise((resolve, reject) => {
    let runId = "";
    const onConnection = (state: "lost" | "back") => change(runId, { lost: state === "lost" });
    const work = async () => {
      for await (const event of ask(client, request, { signal: stop.signal, patience, onConnection })) {
        if (event.type === "run-started") {
          runId = event.data.runId;
          followers.set(runId, stop);
          put(blank(runId, event.data.conversationId, request.query));
          resolve(runs.get(runId)!);
        }
        put(fold(runs.get(runId)!, event));
      }
    };
    work()
      .catch((cause: unknown) => (runId ? fail(runId, cause) : reject(cause as Error)))
      .finally(() => followers.delete(runId));
  });
}

/** Follows a run that is going on already, from its beginning. */
export function rejoin(turn: { runId: string; question: string }, conversationId: string): void {
  if (runs.has(turn.runId)) return;
  const stop = new AbortController();
  followers.set(turn.runId, stop);
  put(blank(turn.runId, conversationId, turn.question));
  const onConnection = (state: "lost" | "back") => change(turn.runId, { lost: state === "lost" });
  const work = async () => {
    for await (const event of follow(client, turn.runId, "", { signal: stop.signal, patience, onConnection }))
      put(fold(runs.get(turn.runId)!, event));
  };
  work()
    .catch((cause: unknown) => fail(turn.runId, cause))
    .finally(() => followers.delete(turn.runId));
}

function change(runId: string, part: Partial<RunView>): void {
  const run = runs.get(runId);
  if (run) put({ ...run, ...part });
}

function fail(runId: string, cause: unknown): void {
  const error = cause instanceof QuernError ? cause.message : String(cause);
  change(runId, { status: "failed", error, lost: false, answering: false });
}

function blank(runId: string, conversationId: string, question: string): RunView {
  return { runId, conversationId, question, status: "running", plan: [], reasoning: "", steps: [], answering: false, lost: false };
}

function fold(run: RunView, event: RunEvent): RunView {
  const now = { ...run, lost: false };
  switch (event.type) {
    case "plan":
      return { ...now, plan: event.data.steps, reasoning: event.data.reasoning };
    case "stepStarted":
      return { ...now, steps: withStep(run.steps, { index: event.data.index, instruction: event.data.instruction, running: true }) };
    case "step":
      return {
        ...now,
        steps: withStep(run.steps, { index: event.data.index, instruction: event.data.instruction, running: false, done: event.data }),
      };
    case "answerStarted":
      return { ...now, answering: true };
    case "answer":
      return { ...now, status: "completed", answering: false, answer: event.data };
    case "error":
      return { ...now, status: "failed", answering: false, error: event.data.message, cancelled: event.data.error_code === "CANCELLED" };
    default:
      return now;
  }
}

function withStep(steps: StepView[], step: StepView): StepView[] {
  return [...steps.filter((one) => one.index !== step.index), step].sort((a, b) => a.index - b.index);
}

/** A turn as it was stored. */
export function fromTurn(turn: Turn, conversationId: string): RunView {
  const run = { ...blank(turn.runId, conversationId, turn.question), ...(turn.result ? fromAnswer(turn.result) : {}) };
  if (turn.status === "running") return run;
  if (turn.status === "completed") return { ...run, status: "completed" };
  return { ...run, status: "failed", error: turn.errorMessage ?? "There is no answer.", cancelled: turn.cancelled };
}

/** The parts of a view that a stored answer has. */
export function fromAnswer(
  result: Pick<Answer, "response" | "clarification" | "notes" | "doubt" | "words" | "steps">,
): Pick<RunView, "steps" | "answer" | "plan"> {
  const { response, clarification, notes, doubt, words } = result;
  return {
    plan: result.steps.map((step) => step.instruction),
    steps: result.steps.map((step) => ({ index: step.index, instruction: step.instruction, running: false, done: step })),
    answer: { response, clarification, notes, doubt, words },
  };
}
