import { QuernError } from "@quern/client";
import type { ReactNode } from "react";
import { Button } from "./button";
import { Icon, type IconName } from "./icon";

/** Stands where there is nothing yet, and says what to do about it. */
export function Empty({
  icon = "data",
  title,
  children,
  action,
}: {
  icon?: IconName;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="state">
      <span className="state-icon">
        <Icon name={icon} size={20} />
      </span>
      <p className="state-title">{title}</p>
      {children && <div className="state-text">{children}</div>}
      {action && <div className="state-action">{action}</div>}
    </div>
  );
}

/** Stands where something is being loaded, in about the shape that it will have. */
export function Loading({ lines = 4, label = "Loading" }: { lines?: number; label?: string }) {
  return (
    <div className="skeleton" role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, i) => (
        <span key={i} className={`skeleton-line w${(i * 7) % 4}`} />
      ))}
    </div>
  );
}

/** Says what went wrong and offers what helps. */
export function Failure({ error, retry, children, page }: { error: unknown; retry?: () => void; children?: ReactNode; page?: boolean }) {
  const { title, text, icon } = explain(error);
  const Title = page ? "h1" : "p";
  return (
    <div className="state" role="alert">
      <span className="state-icon bad">
        <Icon name={icon} size={20} />
      </span>
      <Title className="state-title">{title}</Title>
      <div className="state-text">{text}</div>
      <div className="state-action">
        {children}
        {retry && (
          <Button icon="retry" onPress={retry}>
            Try again
          </Button>
        )}
      </div>
    </div>
  );
}

function explain(error: unknown): { title: string; text: string; icon: IconName } {
  if (!(error instanceof QuernError))
    return { title: "Something broke here", text: error instanceof Error ? error.message : String(error), icon: "warn" };
  if (error.status === 0)
    return { title: "The server cannot be reached", text: "Check your connection. Nothing that you typed is lost.", icon: "warn" };
  if (error.status === 404)
    return { title: "There is nothing here", text: "It does not exist, or it is not shared with you any more.", icon: "search" };
  if (error.status === 403) return { title: "You may look, but not do this", text: error.message, icon: "lock" };
  if (error.status === 429) return { title: "Too many at once", text: error.message, icon: "clock" };
  return { title: "That did not work", text: error.message, icon: "warn" };
}

/** The sentence for an error, with what is wrong in each field. */
export function errorText(error: unknown): string {
  if (!(error instanceof QuernError)) return error instanceof Error ? error.message : String(error);
  const fields = error.fields.map((field) => field.message);
  return fields.length > 0 ? fields.join("; ") : error.message;
}

/** A line that says something about what stands below it. */
export function Note({
  kind = "info",
  icon,
  children,
  actions,
}: {
  kind?: "info" | "warn" | "bad" | "good";
  icon?: IconName;
  children: ReactNode;
  actions?: ReactNode;
}) {
  const own: Record<string, IconName> = { info: "info", warn: "warn", bad: "warn", good: "check" };
  return (
    <div className={`note ${kind}`} role={kind === "bad" ? "alert" : undefined}>
      <Icon name={icon ?? own[kind]!} size={16} />
      <div className="grow">{children}</div>
      {actions}
    </div>
  );
}
