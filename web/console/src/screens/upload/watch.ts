const key = "quern.ingestions";
const most = 12;

/** The ingestions that were started from this browser and not dismissed. */
export function watched(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(kept) ? kept.filter((id): id is string => typeof id === "string").slice(0, most) : [];
  } catch {
    return [];
  }
}

export function watch(id: string): void {
  localStorage.setItem(key, JSON.stringify([id, ...watched().filter((one) => one !== id)].slice(0, most)));
}

export function forget(id: string): void {
  localStorage.setItem(key, JSON.stringify(watched().filter((one) => one !== id)));
}
