import { useLayoutEffect } from "react";

/** How many pixels an element may be off before it was the reader who moved it. */
const slack = 4;

/**
 * Brings an element to the top of the view and keeps it there while what is around
 * it grows, until the reader scrolls by hand. Another element is held anew.
 */
export function useHold(id: string): void {
  useLayoutEffect(() => {
    const element = document.getElementById(id);
    if (!element?.parentElement) return;
    const at = () => element.getBoundingClientRect().top;
    let put = 0;
    const hold = () => {
      element.scrollIntoView({ block: "start" });
      put = at();
    };
    hold();
    const watcher = new ResizeObserver(hold);
    watcher.observe(element.parentElement);
    // The browser scrolls too, to keep what is seen in its place: only what was moved counts.
    const onScroll = () => Math.abs(at() - put) > slack && letGo();
    const letGo = () => {
      watcher.disconnect();
      removeEventListener("scroll", onScroll);
    };
    addEventListener("scroll", onScroll, { passive: true });
    return letGo;
  }, [id]);
}
