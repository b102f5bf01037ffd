/** Returns the path of a Chromium on this machine. With undefined, Playwright uses its own. */
export function findBrowser(): string | undefined
