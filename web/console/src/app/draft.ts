import { useCallback, useEffect, useRef, useState } from "react";

const prefix = "quern.draft.";

/** Reads what was typed and not sent, as kept in this browser. */
export function readDraft(name: string): string {
  return localStorage.getItem(prefix + name) ?? "";
}

export function writeDraft(name: string, text: string): void {
  try {
    if (text) localStorage.setItem(prefix + name, text);
    else localStorage.removeItem(prefix + name);
  } catch {
    // A full or forbidden storage only costs the draft.
  }
}

/** Forgets what is kept of the reader in this browser, but for how they like it drawn: whoever comes next is somebody else. */
export function forgetReader(): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith("quern.") && key !== "quern.theme") localStorage.removeItem(key);
  }
}

/** A text that survives a reload until it is cleared; `start` is what it is without a draft. */
export function useDraft(name: string, start = ""): [string, (text: string) => void, () => void] {
  const [text, setText] = useState(() => readDraft(name) || start);
  const from = useRef(start);
  useEffect(() => {
    if (from.current === start) return;
    from.current = start;
    setText(readDraft(name) || start);
  }, [name, start]);
  const set = useCallback(
    (next: string) => {
      setText(next);
      writeDraft(name, next === from.current ? "" : next);
    },
    [name],
  );
  const clear = useCallback(() => {
    setText("");
    writeDraft(name, "");
  }, [name]);
  return [text, set, clear];
}
