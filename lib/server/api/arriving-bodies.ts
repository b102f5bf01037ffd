import type { IncomingMessage } from "node:http"
import { freeMemory } from "@/lib/server/platform/free-memory"
import { ServiceError } from "@/lib/shared/errors"

/** The memory for all bodies of the console that are arriving. It fits 512 of the largest that a page takes. */
const TOTAL_BYTES = 32 * 1024 * 1024
/** What a small body counts as, because its connection takes memory too. */
const LEAST_BYTES = 4 * 1024

/** The reason why a body was not read to its end: others needed its memory. */
export class BodyCutOff extends Error {}

interface Arriving {
  network: string
  bytes: number
  cutOff(): void
}

/**
 * Reads the small bodies of the console, in bounded memory. When it is used up, the network that has most of it loses the body that
 * began first. So slow clients, who keep theirs for long, do not make others wait.
 */
export class ArrivingBodies {
  /** In order of arrival. */
  readonly #arriving = new Set<Arriving>()
  #bytes = 0

  constructor(private readonly total = TOTAL_BYTES) {}

  get bytes(): number {
    return this.#bytes
  }

  /**
   * Returns the whole body. Throws `request_too_large` for a body of more than `max` bytes, and `BodyCutOff`. Never resolves when the
   * client leaves.
   */
  read(request: IncomingMessage, max: number, network: string): Promise<Buffer> {
    const declared = Number(request.headers["content-length"] ?? max)
    return new Promise((resolve, reject) => {
      const buffer = Buffer.allocUnsafeSlow(declared)
      let length = 0
      const arriving = {
        network,
        bytes: Math.max(declared, LEAST_BYTES),
        cutOff: () => settle(() => reject(new BodyCutOff("others needed the memory of this body"))),
      }
      const settle = (end: () => void) => {
        request.off("data", onData).off("end", onEnd).off("close", onClose)
        this.#leave(arriving)
        end()
      }
      const onData = (chunk: Buffer) => {
        if (length + chunk.length > buffer.length)
          return settle(() => reject(new ServiceError("request_too_large", { param: "body" })))
        length += chunk.copy(buffer, length)
        freeMemory(chunk)
      }
      const onEnd = () => settle(() => resolve(buffer.subarray(0, length)))
      const onClose = () => settle(() => {})
      request.on("data", onData).once("end", onEnd).once("close", onClose)
      this.#enter(arriving)
    })
  }

  #enter(arriving: Arriving): void {
    this.#arriving.add(arriving)
    this.#bytes += arriving.bytes
    while (this.#bytes > this.total) this.#oldestOfLargest()?.cutOff()
  }

  #leave(arriving: Arriving): void {
    if (this.#arriving.delete(arriving)) this.#bytes -= arriving.bytes
  }

  #oldestOfLargest(): Arriving | undefined {
    const bytesOf = new Map<string, number>()
    for (const { network, bytes } of this.#arriving) bytesOf.set(network, (bytesOf.get(network) ?? 0) + bytes)
    const most = Math.max(...bytesOf.values())
    for (const arriving of this.#arriving) if (bytesOf.get(arriving.network) === most) return arriving
    return undefined
  }
}
