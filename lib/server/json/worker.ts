import { constants, setPriority } from "node:os"
import { parentPort } from "node:worker_threads"
import { type Scanned, scanLarge } from "./scan-large"

// Linux counts each thread apart, and 0 is the thread that asks: what many small requests wait for goes first.
if (process.platform === "linux") setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)

parentPort?.on("message", (body: Uint8Array<ArrayBuffer>) => {
  const scanned: Scanned = scanLarge(body)
  parentPort?.postMessage(scanned, scanned.ok ? [scanned.body.buffer, scanned.nodes.buffer] : [])
})
