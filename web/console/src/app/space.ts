import type { ConversationEntry } from "@quern/client";
import type { Space } from "../api/queries";

const key = "quern.space";

/** Keeps in this browser which namespace was used last: chosen, asked about, or brought rows to. */
export function keepSpace(owner: string, name: string): void {
  try {
    localStorage.setItem(key, `${Date.now()} ${owner}/${name}`);
  } catch {
    // A full or forbidden storage only costs the choice.
  }
}

function keptSpace(): string {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return ""; // a forbidden storage keeps nothing
  }
}

/** The namespace that was used last, in this browser or in a conversation from anywhere; the first one where none was. */
export function lastUsed(among: Space[], conversations: ConversationEntry[]): Space {
  const [at, kept] = keptSpace().split(" ");
  const used = conversations.map((one) => ({ at: one.updatedAt, space: `${one.username}/${one.namespace}` }));
  if (at && kept) used.push({ at: Number(at), space: kept });
  used.sort((a, b) => b.at - a.at);
  for (const { space } of used) {
    const found = among.find((one) => `${one.owner}/${one.name}` === space);
    if (found) return found;
  }
  return among[0]!;
}
