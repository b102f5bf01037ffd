import type { Log } from "../log"
import { runtime } from "../runtime"

/** Logs; a log that fails does not fail the request it tells of. */
export function logQuietly(write: (log: Log) => void): void {
  try {
    write(runtime().log)
  } catch {}
}
