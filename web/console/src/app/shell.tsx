import { Outlet, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { Dialog, Modal, ModalOverlay } from "react-aria-components";
import { IconButton } from "../ui/button";
import { Toasts } from "../ui/toast";
import { NewerBuild } from "./build";
import { Palette, usePalette } from "./palette";
import { SessionEnded } from "./session";
import { Brand, Sidebar } from "./sidebar";

/** What stands around every screen: the list of places, and what may come up anywhere. */
export function Shell() {
  const palette = usePalette();
  const [drawer, setDrawer] = useState(false);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  useEffect(() => {
    setDrawer(false);
    // A reader that follows the focus is brought to the new screen.
    if (!first.current && document.activeElement === document.body) main.current?.focus();
    first.current = false;
  }, [path]);
  return (
    <>
      <a
        className="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to the content
      </a>
      <div className="shell">
        <Sidebar onSearch={palette.open} />
        <header className="topbar">
          <IconButton label="Open the menu" icon="menu" onPress={() => setDrawer(true)} />
          <Brand />
          <span className="grow" />
          <IconButton label="Search" icon="search" onPress={palette.open} />
        </header>
        <main className="main" id="main" tabIndex={-1} ref={main}>
          <NewerBuild />
          <Outlet />
        </main>
      </div>
      <ModalOverlay className="scrim drawer-scrim" isOpen={drawer} onOpenChange={setDrawer} isDismissable>
        <Modal className="drawer">
          <Dialog aria-label="Menu" className="dialog-plain">
            <Sidebar
              onSearch={() => {
                setDrawer(false);
                palette.open();
              }}
            />
          </Dialog>
        </Modal>
      </ModalOverlay>
      <Palette isOpen={palette.isOpen} onClose={palette.close} />
      <SessionEnded />
      <Toasts />
    </>
  );
}

/** Names the page in the browser's tab. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} · Quern` : "Quern";
  }, [title]);
}
