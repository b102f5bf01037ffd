"use client"
import { usePoll } from "./use-poll"

/** How long to wait before each attempt. */
const ATTEMPTS_AFTER_MS = [2_000, 8_000, 30_000]
const POLL_EVERY_MS = 5_000
/** While the service is ready, a page that fails is itself at fault, so attempts are rare. */
const FORGOTTEN_MS = 600_000

/** When this tab tried to load each page again, by path. An attempt that fails mounts the error page anew. */
const attempts = new Map<string, number[]>()

function recentAttempts(): number[] {
  const since = Date.now() - FORGOTTEN_MS
  return (attempts.get(window.location.pathname) ?? []).filter((atMs) => atMs > since)
}

/** Returns whether the service is ready. Without an answer, it is not. */
const isReady = (): Promise<boolean> =>
  fetch("/readyz", { cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Calls `tryAgain` at most three times in ten minutes while the service is ready, and once it is ready again. */
export function useRetries(tryAgain: () => void): void {
  usePoll(
    true,
    () => ATTEMPTS_AFTER_MS[recentAttempts().length] ?? POLL_EVERY_MS,
    async () => {
      if (document.hidden) return
      if (!(await isReady())) return void attempts.delete(window.location.pathname)
      const recent = recentAttempts()
      if (recent.length >= ATTEMPTS_AFTER_MS.length) return
      attempts.set(window.location.pathname, [...recent, Date.now()])
      tryAgain()
    },
  )
}
