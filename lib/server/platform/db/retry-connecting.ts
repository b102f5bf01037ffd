import { setTimeout as sleep } from "node:timers/promises"

const WITHIN_MS = 20_000
const RETRY_MS = 100
/** What `pg` reports without a code when a connection takes too long to open, or ends. */
const NO_CONNECTION = /^(Connection terminated|timeout expired|timeout exceeded when trying to connect)/
const UNREACHABLE = /^(ECONN\w+|EHOST\w+|ENET\w+|ETIMEDOUT|EPIPE|EAI_AGAIN|ENOTFOUND)$/

/** Returns whether no connection to a PostgreSQL could be opened, or it ended. A refusal that PostgreSQL reports is another error. */
export function isUnconnected(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { message, code = "", syscall }: NodeJS.ErrnoException = error
  // A Unix socket that is missing, because PostgreSQL is down.
  return NO_CONNECTION.test(message) || UNREACHABLE.test(code) || (code === "ENOENT" && syscall === "connect")
}

/**
 * Runs `work` for a process that starts. On a busy machine its first connection may exceed the time limit, so `work` is run again for
 * 20 s while it fails to connect. Any other error is thrown at once, such as one that PostgreSQL reports.
 */
export async function retryConnecting<Result>(work: () => Promise<Result>): Promise<Result> {
  const until = performance.now() + WITHIN_MS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isUnconnected(error) || performance.now() > until) throw error
      await sleep(RETRY_MS)
    }
  }
}
