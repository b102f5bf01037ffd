import { parentPort } from "node:worker_threads"
import { compactInPlace } from "./request-index"
import { type ScanFault, scan } from "./scan"
import { squeeze } from "./text"

/** What the worker answers: the body itself, its texts made compact in place, and its index; or why it is refused. */
export type Scanned =
  | { ok: true; body: Uint8Array<ArrayBuffer>; nodes: Int32Array<ArrayBuffer> }
  | { ok: false; fault: ScanFault; param: string }

parentPort?.on("message", (body: Uint8Array<ArrayBuffer>) => {
  const result = scan(body)
  if (!result.ok) return parentPort?.postMessage(result satisfies Scanned)
  compactInPlace(body, result.nodes, squeeze)
  const scanned: Scanned = { ok: true, body, nodes: result.nodes }
  parentPort?.postMessage(scanned, [body.buffer, result.nodes.buffer])
})
