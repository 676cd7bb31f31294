import { useRouterState } from "@tanstack/react-router";
import { useEffect, useRef, type ReactNode } from "react";

/** A row of links to the parts of a screen. The one that is shown is scrolled into view. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  const row = useRef<HTMLElement>(null);
  const path = useRouterState({ select: (state) => state.location.pathname });
  useEffect(() => {
    const box = row.current!;
    const shown = box.querySelector<HTMLElement>('[aria-current="page"]');
    if (shown) box.scrollLeft = shown.offsetLeft - (box.clientWidth - shown.offsetWidth) / 2;
  }, [path]);
  return (
    <nav className="tabs" aria-label={label} ref={row}>
      {children}
    </nav>
  );
}
