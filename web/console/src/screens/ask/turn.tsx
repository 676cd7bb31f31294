import type { AnswerStep } from "@quern/client";
import { Icon } from "../../ui/icon";
import { Markdown } from "../../ui/markdown";
import { Note } from "../../ui/state";
import { Choices } from "./choices";
import { alternatives, divide, repeats } from "./notes";
import { Rate } from "./rate";
import type { RunView, StepView } from "./runs";
import { StepResult } from "./step";
import { Words } from "./words";

interface Props {
  run: RunView;
  owner: string;
  namespace: string;
  onAsk?: (question: string) => void;
  isLast?: boolean;
  /** What the question is a heading of: a turn, or the whole page. */
  heading?: "h1" | "h2";
}

/** One question: how it was read, what was found, and what to hold against it. */
export function TurnView({ run, owner, namespace, onAsk, isLast, heading: Heading = "h2" }: Props) {
  const single = run.steps.length === 1 && run.steps[0]!.instruction === run.question ? run.steps[0]!.done : undefined;
  const words = single?.words ?? (run.answer?.clarification ? run.answer.words : undefined);
  return (
    <article className="turn" id={`run-${run.runId}`} aria-label={run.question}>
      <Heading className="question" dir="auto">
        <Words text={run.question} words={words} owner={owner} namespace={namespace} onAsk={onAsk} />
      </Heading>
      {run.status === "running" && <Progress run={run} />}
      {run.lost && <Note kind="warn">The connection was lost. Going on as soon as the server answers; nothing is lost.</Note>}
      {run.status === "failed" && (
        <Note kind="bad" icon={run.cancelled ? "stop" : "warn"}>
          {run.error}
        </Note>
      )}
      {run.answer && <Answer run={run} onAsk={onAsk} />}
      {run.steps.map(
        (step) =>
          step.done &&
          hasRows(step.done) && (
            <StepResult
              key={step.index}
              step={step.done}
              runId={run.runId}
              owner={owner}
              namespace={namespace}
              onAsk={onAsk}
              title={single ? undefined : `Step ${step.index + 1}`}
              isSaid={repeats(run.answer?.response ?? "", step.done.reasoning)}
            />
          ),
      )}
      {run.status === "completed" && onAsk && <Rate run={run} isLast={isLast ?? false} />}
    </article>
  );
}

function hasRows(step: AnswerStep): boolean {
  return step.query !== "" || step.data.length > 0;
}

/** The answer in words, its doubt before it, and what is asked back. */
export function Answer({ run, onAsk }: { run: RunView; onAsk?: (question: string) => void }) {
  const answer = run.answer!;
  const { doubts, remarks } = divide(run);
  return (
    <div className="stack">
      {doubts.length > 0 && (
        <Note kind="warn">
          <strong>This may not be what you meant.</strong>
          <ul className="reasons">
            {doubts.map((note) => (
              <Doubt key={note} note={note} onAsk={onAsk} />
            ))}
          </ul>
        </Note>
      )}
      {answer.clarification ? (
        <AskedBack run={run} onAsk={onAsk} />
      ) : (
        <div className="answer">
          <Markdown text={answer.response} tables={!run.steps.some((step) => step.done && hasRows(step.done))} />
        </div>
      )}
      {remarks.length > 0 && (
        <ul className="remarks">
          {remarks.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** A reason to doubt an answer. What else may have been meant can be asked. */
function Doubt({ note, onAsk }: { note: string; onAsk?: (question: string) => void }) {
  const { text, questions } = alternatives(note);
  if (!onAsk || questions.length === 0) return <li>{note}</li>;
  return (
    <li>
      {text}
      <div className="choices">
        <Choices questions={questions} onAsk={onAsk} />
      </div>
    </li>
  );
}

function AskedBack({ run, onAsk }: { run: RunView; onAsk?: (question: string) => void }) {
  const { question, choices } = run.answer!.clarification!;
  return (
    <div className="choices">
      <p className="asked-back-question">{question}</p>
      <Choices questions={choices.map((choice) => choice.label)} onAsk={onAsk} />
      {choices.length === 0 && (
        <p className="quiet">{run.answer!.words?.length ? "Ask it in other words, or teach the word above." : "Ask it in other words."}</p>
      )}
    </div>
  );
}

/** What is being done at this moment, and what comes next. */
function Progress({ run }: { run: RunView }) {
  const current = run.answering
    ? "Writing the answer"
    : run.steps.some((step) => step.running)
      ? ""
      : run.plan.length > 0
        ? ""
        : "Reading the question";
  const steps: StepView[] = run.plan.map(
    (instruction, index) => run.steps.find((step) => step.index === index) ?? { index, instruction, running: false },
  );
  return (
    <div className="working" role="status" aria-label="Working on it">
      {steps.map((step) => (
        <div key={step.index} className="working-step">
          {step.done ? <Icon name="check" size={14} /> : step.running ? <span className="spinner" /> : <span className="working-dot" />}
          <span className={step.done || step.running ? "" : "quiet"} dir="auto">
            {step.instruction}
          </span>
        </div>
      ))}
      {current && (
        <div className="working-step">
          <span className="spinner" />
          <span>{current}</span>
        </div>
      )}
    </div>
  );
}
