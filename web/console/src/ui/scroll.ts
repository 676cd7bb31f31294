import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";

/** The most pixels that an element has: browsers draw none that are much higher. */
const highest = 12_000_000;

/**
 * Scrolling over a height that no element can have. The element is at most
 * `highest` pixels high; beyond that its scroll position stands for a larger
 * offset, while a turn of the wheel still moves by what it says.
 */
export function useScaledScroll(scroller: RefObject<HTMLDivElement | null>, full: number, view: number) {
  const height = Math.min(full, highest);
  const scale = full > highest ? (full - view) / Math.max(1, highest - view) : 1;
  const [at, setAt] = useState({ offset: 0, scrollTop: 0, left: 0 });
  const set = useRef<number | undefined>(undefined);
  const end = Math.max(0, full - view);

  const goTo = useCallback(
    (offset: number) => {
      const box = scroller.current;
      if (!box) return;
      const next = Math.max(0, Math.min(end, offset));
      box.scrollTop = next / scale;
      set.current = box.scrollTop;
      setAt({ offset: next, scrollTop: box.scrollTop, left: box.scrollLeft });
    },
    [scroller, end, scale],
  );

  useEffect(() => {
    const box = scroller.current!;
    const onScroll = () => {
      const own = set.current !== undefined && Math.abs(set.current - box.scrollTop) < 1;
      if (!own) set.current = undefined;
      setAt((now) => ({ offset: own ? now.offset : Math.min(end, box.scrollTop * scale), scrollTop: box.scrollTop, left: box.scrollLeft }));
    };
    const onWheel = (event: WheelEvent) => {
      if (scale === 1 || event.ctrlKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
      event.preventDefault();
      setAt((now) => {
        const offset = Math.max(0, Math.min(end, now.offset + event.deltaY * (event.deltaMode === 1 ? 32 : 1)));
        box.scrollTop = offset / scale;
        set.current = box.scrollTop;
        return { ...now, offset, scrollTop: box.scrollTop };
      });
    };
    box.addEventListener("scroll", onScroll, { passive: true });
    box.addEventListener("wheel", onWheel, { passive: false });
    return () => {
      box.removeEventListener("scroll", onScroll);
      box.removeEventListener("wheel", onWheel);
    };
  }, [scroller, scale, end]);

  // Fewer rows than before: what was seen may be gone.
  useLayoutEffect(() => {
    if (at.offset > end) goTo(end);
  }, [at.offset, end, goTo]);

  const reveal = useCallback(
    (from: number, size: number) => {
      if (from < at.offset) goTo(from);
      else if (from + size > at.offset + view) goTo(from + size - view);
    },
    [at.offset, view, goTo],
  );

  return { height, offset: at.offset, left: at.left, goTo, reveal, top: (from: number) => from - at.offset + at.scrollTop };
}
