import { parentPort } from "node:worker_threads"
import { type Scanned, scanLarge } from "./scan-large"

parentPort?.on("message", (body: Uint8Array<ArrayBuffer>) => {
  const scanned: Scanned = scanLarge(body)
  parentPort?.postMessage(scanned, scanned.ok ? [scanned.body.buffer, scanned.nodes.buffer] : [])
})
