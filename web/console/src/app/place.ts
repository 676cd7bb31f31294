/** The build of this page, as the server named it when it served it. */
export const build = document.querySelector('meta[name="quern-build"]')?.getAttribute("content") ?? "";

/** Where signing in begins, coming back to where the reader is. */
export function signInAddress(): string {
  return `/signin?to=${encodeURIComponent(location.pathname + location.search)}`;
}
