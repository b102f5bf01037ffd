import { constants } from "node:os"
import { parentPort } from "node:worker_threads"
import { lowerThreadPriority } from "@/lib/server/platform/lower-priority"
import type { Coding } from "./content-coding"
import { type Decoded, decodeBounded } from "./decode-bounded"

/** A body to decode into at most `most` bytes. */
export interface DecodeJob {
  coding: Coding
  encoded: Uint8Array<ArrayBuffer>
  most: number
}

// Keeps small requests on the main thread fast.
lowerThreadPriority(constants.priority.PRIORITY_BELOW_NORMAL)

/** Returns the bytes in a buffer of their own, which can be transferred. */
const alone = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice()

parentPort?.on("message", async ({ coding, encoded, most }: DecodeJob) => {
  const decoded: Decoded = await decodeBounded(coding, encoded, most)
  if (typeof decoded === "string") return parentPort?.postMessage(decoded)
  const own = alone(decoded)
  parentPort?.postMessage(own, [own.buffer])
})
