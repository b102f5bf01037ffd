import type { Worker } from "node:worker_threads"
import { startWorker } from "@/lib/server/platform/start-worker"
import { BODY_WORKERS, WorkerPool, withOwnBuffer } from "@/lib/server/platform/worker-pool"
import { ServiceError } from "@/lib/shared/errors"
import { type BodyReservation, FREE_BODY_BYTES } from "../body-budget"
import { type Coding, decodedBound } from "./content-coding"
import { type Decoded, decodeBounded } from "./decode-bounded"
import type { DecodeJob } from "./decode-worker"

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    decoder: BodyDecoder
  }
}

type DecodingRoom = Pick<BodyReservation, "reserve" | "shrinkTo">

export interface BodyDecoder {
  /**
   * Decodes a body, in a worker when it is large. `encoded` is empty afterwards if it was. A body above `FREE_BODY_BYTES` has
   * reserved `decodedBound` bytes; a smaller one that decodes to more than that reserves them here. Throws `request_too_large` over
   * that bound, `invalid_request` for bytes that are not of this coding, and the signal's reason.
   */
  decode(coding: Coding, encoded: Buffer, room: DecodingRoom, signal: AbortSignal): Promise<Buffer>
  /** Stops the workers. */
  close(): Promise<void>
}

const startDecodeWorker = (): Worker => startWorker("decode-worker", new URL("./decode-worker.ts", import.meta.url))

/** Decodes bodies that are small before and after on this thread, and others in at most two workers, which start when first needed. */
export function createBodyDecoder(start = startDecodeWorker): BodyDecoder {
  const pool = new WorkerPool<DecodeJob, Decoded>(start, BODY_WORKERS)
  const inWorker = (coding: Coding, body: Buffer, most: number) => {
    const encoded = withOwnBuffer(body)
    return pool.run({ coding, encoded, most }, [encoded.buffer])
  }
  return {
    decode: async (coding, encoded, room, signal) => {
      const isSmall = encoded.length <= FREE_BODY_BYTES
      const small = isSmall ? await decodeBounded(coding, encoded, FREE_BODY_BYTES) : "too_large"
      if (small !== "too_large") return bufferOf(coding, small)
      const most = decodedBound(encoded.length)
      if (isSmall) await room.reserve(most, signal)
      const large = bufferOf(coding, await inWorker(coding, encoded, most))
      signal.throwIfAborted()
      room.shrinkTo(large.length)
      return large
    },
    close: () => pool.close(),
  }
}

function bufferOf(coding: Coding, decoded: Decoded): Buffer {
  if (decoded === "too_large") throw new ServiceError("request_too_large", { param: "body" })
  if (decoded === "malformed")
    throw new ServiceError("invalid_request", { param: "body", message: `The body is not valid ${coding}.` })
  return Buffer.from(decoded.buffer, decoded.byteOffset, decoded.byteLength)
}
