import { useEffect, useState, type MouseEvent } from "react";
import { client, onSessionEnded } from "../api/client";
import { me, queries } from "../api/queries";
import { Dialog } from "../ui/dialog";
import { signInAddress } from "./place";

const windowName = "quern-sign-in";
const lookEvery = 2000;

/** Closes this window if it was only opened to sign in, and says whether it was. */
export function closeSignInWindow(): boolean {
  if (window.name !== windowName || !window.opener) return false;
  window.close();
  return true;
}

/** Opens the way to sign in beside the page, which stays as it is; where the browser forbids it, the link is followed. */
function beside(event: MouseEvent): void {
  if (window.open("/signin", windowName, "popup,width=480,height=680")) event.preventDefault();
}

/** Comes up when the sign-in has ended, and goes away when there is one again, in this tab or another. */
export function SessionEnded() {
  const [ended, setEnded] = useState(false);
  useEffect(() => onSessionEnded(() => setEnded(true)), []);
  useEffect(() => {
    if (!ended) return;
    const look = async () => {
      const now = await client.get("/user/me").catch(() => undefined);
      if (!now) return;
      // Somebody else came back: what is on the page is not theirs.
      if (now.username !== queries.getQueryData(me.queryKey)?.username) return location.reload();
      setEnded(false);
      await queries.invalidateQueries();
    };
    const timer = setInterval(() => void look(), lookEvery);
    return () => clearInterval(timer);
  }, [ended]);
  return (
    <Dialog
      title="You are signed out"
      isOpen={ended}
      onClose={() => setEnded(false)}
      actions={
        <a className="button primary m" href={signInAddress()} onClick={beside}>
          Sign in again
        </a>
      }
    >
      <p className="quiet">Your sign-in has ended. Sign in beside this page and go on: nothing that you typed is lost.</p>
    </Dialog>
  );
}
