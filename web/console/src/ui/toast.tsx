import { useEffect, useState } from "react";
import { Icon } from "./icon";

interface Toast {
  id: number;
  text: string;
  kind: "good" | "bad";
}

let last = 0;
const listeners = new Set<(toast: Toast) => void>();

/** Says something in passing, at the foot of the page. */
export function toast(text: string, kind: "good" | "bad" = "good"): void {
  const one = { id: ++last, text, kind };
  for (const listener of listeners) listener(one);
}

/** Where toasts appear; one for the page. */
export function Toasts() {
  const [toasts, setToasts] = useState<Toast[]>([]);
  useEffect(() => {
    const add = (one: Toast) => {
      setToasts((all) => [...all.slice(-2), one]);
      setTimeout(() => setToasts((all) => all.filter((other) => other.id !== one.id)), one.kind === "bad" ? 8000 : 4000);
    };
    listeners.add(add);
    return () => void listeners.delete(add);
  }, []);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toasts.map((one) => (
        <div key={one.id} className={`toast ${one.kind}`}>
          <Icon name={one.kind === "good" ? "check" : "warn"} size={15} />
          {one.text}
        </div>
      ))}
    </div>
  );
}

/** Puts a text into the clipboard and says so. */
export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied`);
  } catch {
    toast("The browser did not allow copying", "bad");
  }
}
