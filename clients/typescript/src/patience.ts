import type { QuernError } from "./error.js";

const firstPause = 100;
const longestPause = 10_000;

/** Says how long to wait before the next try. The pauses grow, and vary so that clients do not come back together. */
export class Patience {
  private started = 0;
  private next = 0;

  constructor(
    private readonly ms: number,
    private readonly now: () => number = () => performance.now(),
    private readonly chance: () => number = Math.random,
  ) {
    this.begin();
  }

  /** Begins anew, after something went well. */
  begin(): void {
    this.started = this.now();
    this.next = firstPause;
  }

  /** How many milliseconds to wait; undefined when trying again is of no use any more. */
  pause(error: QuernError): number | undefined {
    const asked = Math.min(error.retryAfter ?? 0, 60) * 1000;
    const wait = Math.max(asked, this.next * (0.5 + this.chance()));
    if (!error.passing || this.now() - this.started + wait > this.ms) return undefined;
    this.next = Math.min(2 * this.next, longestPause);
    return wait;
  }
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
