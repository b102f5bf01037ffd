import type { Log } from "@/lib/server/platform/log"
import { runtime } from "@/lib/server/platform/runtime"

/** Logs; a log that fails does not fail the request it tells of. */
export function logQuietly(write: (log: Log) => void): void {
  try {
    write(runtime().log)
  } catch {}
}
