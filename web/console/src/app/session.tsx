import { useEffect, useState } from "react";
import { client, onSessionEnded } from "../api/client";
import { queries } from "../api/queries";
import { Dialog } from "../ui/dialog";
import { signInAddress } from "./place";

/** Comes up when the sign-in has ended, and goes away when there is one again, in this tab or another. */
export function SessionEnded() {
  const [ended, setEnded] = useState(false);
  useEffect(() => onSessionEnded(() => setEnded(true)), []);
  useEffect(() => {
    if (!ended) return;
    const look = async () => {
      try {
        await client.get("/user/me");
        setEnded(false);
        await queries.invalidateQueries();
      } catch {
        // Still signed out.
      }
    };
    const onFocus = () => void look();
    window.addEventListener("focus", onFocus);
    return () => window.removeEventListener("focus", onFocus);
  }, [ended]);
  return (
    <Dialog title="You are signed out" isOpen={ended} onClose={() => setEnded(false)}
      actions={<a className="button primary m" href={signInAddress()}>Sign in again</a>}>
      <p className="quiet">Your sign-in has ended. What you typed is kept in this browser, and you come back to where you are.</p>
    </Dialog>
  );
}
