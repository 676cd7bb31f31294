import type { RunView } from "./runs";

/** Sorts the notes of a run into reasons to doubt it and what is only good to know. */
export function divide(run: RunView): { doubts: string[]; remarks: string[] } {
  const steps = run.steps.flatMap((step) => (step.done ? [step.done] : []));
  const inDoubt = new Set(steps.filter((step) => step.doubt).flatMap((step) => step.notes ?? []));
  const all = new Set([...(run.answer?.notes ?? []), ...steps.flatMap((step) => step.notes ?? [])]);
  if (run.answer?.doubt && inDoubt.size === 0) return { doubts: [...all], remarks: [] };
  return { doubts: [...inDoubt], remarks: [...all].filter((note) => !inDoubt.has(note)) };
}

const quoted = String.raw`"(?:[^"\\]|\\.)*"`;
const others = new RegExp(`^(.* It may also be:) (${quoted}(?: or ${quoted})*)\\.$`, "s");

/** Parts a note that ends in what else was meant, as the server writes it: `… It may also be: "one" or "another".` */
export function alternatives(note: string): { text: string; questions: string[] } {
  const [, text, list] = others.exec(note) ?? [];
  if (!text || !list) return { text: note, questions: [] };
  return { text, questions: list.match(new RegExp(quoted, "g"))!.map(unquoted) };
}

/** What a quoted text says. The server quotes as Go does, which is mostly as JSON does. */
function unquoted(text: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    return text.slice(1, -1);
  }
}

/** Whether an answer begins with what a reading says, but for the verb: `The length of ships:` and `Lists the length of ships`. */
export function repeats(answer: string, reading: string): boolean {
  const said = bare(reading);
  const begin = bare(answer.replace(/\\(.)/g, "$1"));
  return said !== "" && begin.startsWith(said) && !/^\w/.test(begin.slice(said.length));
}

function bare(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^(?:lists|counts|gives|there (?:is|are) [\d,.]+) /, "")
    .replace(/^the /, "")
    .replace(/^number of /, "")
    .replace(/[.:]$/, "");
}
