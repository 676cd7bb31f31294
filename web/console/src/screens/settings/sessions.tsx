import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../api/client";
import { queries, sessions } from "../../api/queries";
import { ago, moment } from "../../app/format";
import { signOut } from "../../app/sidebar";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/dialog";
import { Icon } from "../../ui/icon";
import { errorText, Failure, Loading } from "../../ui/state";
import { toast } from "../../ui/toast";

/** The browsers and command lines that the reader is signed in with. */
export function Sessions() {
  const found = useQuery(sessions);
  const [leaving, setLeaving] = useState(false);
  const end = async (sessionId: string) => {
    try {
      await client.delete("/user/sessions/{sessionId}", { path: { sessionId } });
      await queries.invalidateQueries({ queryKey: ["sessions"] });
      toast("It is signed out");
    } catch (cause) {
      toast(errorText(cause), "bad");
    }
  };
  if (found.isError) return <Failure error={found.error} retry={() => void found.refetch()} />;
  if (!found.data) return <Loading lines={3} />;
  return (
    <section className="stack" aria-label="Sessions">
      <div className="row between wrap">
        <p className="quiet">Where you are signed in. Ending a session counts at once.</p>
        <Button icon="exit" onPress={() => setLeaving(true)}>
          Sign out everywhere
        </Button>
      </div>
      <div className="card">
        {found.data.sessions.map((one) => (
          <div key={one.id} className="list-row">
            <Icon name="screen" />
            <div className="grow">
              <p>
                <strong>{one.client === "quern-cli" ? commandLine(one.userAgent) : browser(one.userAgent)}</strong>{" "}
                {one.current && <span className="badge good">this one</span>}
              </p>
              <p className="quiet small">
                used {ago(one.lastSeenAt)} · since {moment(one.createdAt)} · until {moment(one.expiresAt)}
              </p>
            </div>
            {one.current ? (
              <Button size="s" onPress={() => signOut()}>
                Sign out
              </Button>
            ) : (
              <Button size="s" onPress={() => void end(one.id)}>
                End
              </Button>
            )}
          </div>
        ))}
      </div>
      <Confirm
        title="Sign out everywhere?"
        action="Sign out everywhere"
        isOpen={leaving}
        onClose={() => setLeaving(false)}
        onConfirm={() => {
          signOut(true);
          return Promise.resolve();
        }}
      >
        Every browser and command line that you are signed in with is signed out, this one too. API tokens stay.
      </Confirm>
    </section>
  );
}

/** A command line and the machine that it is on, as it said. */
function commandLine(agent: string): string {
  const machine = /\(([^;)]+)/.exec(agent)?.[1];
  return machine ? `Command line on ${machine}` : "Command line";
}

/** A browser and its system in two words, as far as they can be told. */
function browser(agent: string): string {
  const name = /Edg\//.test(agent)
    ? "Edge"
    : /Firefox\//.test(agent)
      ? "Firefox"
      : /Chrom(e|ium)\//.test(agent)
        ? "Chrome"
        : /Safari\//.test(agent)
          ? "Safari"
          : "A browser";
  const system = /Windows/.test(agent)
    ? "Windows"
    : /iPhone|iPad/.test(agent)
      ? "iOS"
      : /Mac OS/.test(agent)
        ? "macOS"
        : /Android/.test(agent)
          ? "Android"
          : /Linux/.test(agent)
            ? "Linux"
            : "";
  return system ? `${name} on ${system}` : name;
}
