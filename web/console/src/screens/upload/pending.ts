const key = "quern.uploads";
const life = 24 * 3600_000;

/** An upload that was begun in this browser and is not complete. */
export interface PendingUpload {
  sessionId: string;
  at: number;
  files: { name: string; size: number; modified: number }[];
}

/** The uploads that can be gone on with, latest first. A session ends by itself after a day. */
export function pendingUploads(): PendingUpload[] {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? "[]") as PendingUpload[];
    return kept.filter((one) => typeof one.sessionId === "string" && Date.now() - one.at < life);
  } catch {
    return [];
  }
}

export function keepUpload(upload: PendingUpload): void {
  localStorage.setItem(key, JSON.stringify([upload, ...pendingUploads().filter((one) => one.sessionId !== upload.sessionId)].slice(0, 20)));
}

export function dropUpload(sessionId: string): void {
  localStorage.setItem(key, JSON.stringify(pendingUploads().filter((one) => one.sessionId !== sessionId)));
}
