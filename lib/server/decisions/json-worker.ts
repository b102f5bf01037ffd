import { constants } from "node:os"
import { parentPort } from "node:worker_threads"
import { lowerThreadPriority } from "@/lib/server/platform/lower-priority"
import type { FieldPath } from "@/lib/shared/json/field-path"
import { compactLeaves } from "@/lib/shared/json/request-index"
import { type ScanFault, scan } from "@/lib/shared/json/scan"

/** The body with its texts compacted and measured in place, and its index; or why it is refused. */
export type Scanned =
  | { ok: true; body: Uint8Array<ArrayBuffer>; nodes: Int32Array<ArrayBuffer> }
  | { ok: false; fault: ScanFault; path: FieldPath }

/** Does all per-byte work on a large body, so that none is left for the main thread. */
function scanLarge(body: Uint8Array<ArrayBuffer>): Scanned {
  const result = scan(body)
  if (!result.ok) return result
  compactLeaves(body, result.nodes)
  return { ok: true, body, nodes: result.nodes }
}

// Keeps small requests on the main thread fast.
lowerThreadPriority(constants.priority.PRIORITY_BELOW_NORMAL)

parentPort?.on("message", (body: Uint8Array<ArrayBuffer>) => {
  const scanned = scanLarge(body)
  parentPort?.postMessage(scanned, scanned.ok ? [scanned.body.buffer, scanned.nodes.buffer] : [])
})
