/** The path of a Chromium on this machine; undefined leaves Playwright to its own. */
export function findBrowser(): string | undefined
