import { measureOf } from "@/lib/shared/json/measure"
import { finishLeaves } from "@/lib/shared/json/request-index"
import { type ScanFault, scan } from "@/lib/shared/json/scan"
import { squeeze } from "@/lib/shared/json/text"

/** The body itself, its texts made compact in place and measured, and its index; or why it is refused. */
export type Scanned =
  | { ok: true; body: Uint8Array<ArrayBuffer>; nodes: Int32Array<ArrayBuffer> }
  | { ok: false; fault: ScanFault; param: string }

/** All that is done byte by byte with a body, so that the thread that answers it later has none of that left to do. */
export function scanLarge(body: Uint8Array<ArrayBuffer>): Scanned {
  const result = scan(body)
  if (!result.ok) return result
  finishLeaves(body, result.nodes, { squeeze, measureOf })
  return { ok: true, body, nodes: result.nodes }
}
