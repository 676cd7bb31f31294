import { Caller } from "@quern/client";

const ended = new Set<() => void>();
const answered = new Set<(build: string) => void>();

/** The one client of the page: it asks the server that served the page, as whoever is signed in. */
export const client = new Caller({
  base: "/api/v1",
  patience: 0, // the screens say what failed, and ask again by themselves
  onAnswer: (answer) => {
    if (answer.status === 401) for (const tell of ended) tell();
    const build = answer.headers.get("Quern-Build");
    if (build) for (const tell of answered) tell(build);
  },
});

/** Calls back when the server no longer knows the reader. */
export function onSessionEnded(tell: () => void): () => void {
  ended.add(tell);
  return () => void ended.delete(tell);
}

/** Calls back with the build of the page that the server has now, with every answer. */
export function onBuild(tell: (build: string) => void): () => void {
  answered.add(tell);
  return () => void answered.delete(tell);
}
