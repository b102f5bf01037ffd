import type { IncomingHttpHeaders } from "node:http"
import type { Dispatcher } from "undici"
import { ServiceError } from "@/lib/shared/errors"

/** Takes the body of a response piece by piece. */
export interface BodyReader<Result> {
  /** Throws to end the response with this error. */
  keep(chunk: Buffer): void
  result(): Result
}

export interface Exchanged<Result> {
  status: number
  headers: IncomingHttpHeaders
  body: Result
}

/** Returns a reader of a body as text. */
export function textReader(): BodyReader<{ text: string }> {
  const chunks: Buffer[] = []
  return {
    keep: (chunk) => void chunks.push(chunk),
    result: () => ({
      text: chunks.length === 1 && chunks[0] ? chunks[0].toString() : Buffer.concat(chunks).toString(),
    }),
  }
}

/**
 * Sends one request and reads its response. Rejects with the abort's reason, with the connection's or the reader's error, or with
 * `upstream_error` for a body of more than `maxBytes`. Undici's `request` would create a stream for each response, which costs
 * more than reading it.
 */
export function exchange<Result>(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  { signal, reader, maxBytes }: { signal: AbortSignal; reader: BodyReader<Result>; maxBytes: number },
): Promise<Exchanged<Result>> {
  return new Promise((resolve, reject) => {
    let status = 0
    let headers: IncomingHttpHeaders = {}
    let bytes = 0
    let controller: Dispatcher.DispatchController | null = null
    const fail = (error: unknown) => {
      signal.removeEventListener("abort", onAbort)
      reject(error)
    }
    const onAbort = () => {
      controller?.abort(signal.reason)
      fail(signal.reason)
    }
    signal.addEventListener("abort", onAbort)
    dispatcher.dispatch(options, {
      onRequestStart(started) {
        controller = started
        if (signal.aborted) started.abort(signal.reason)
      },
      onResponseStart(_, code, received) {
        // An interim response, such as 103, comes before the real one.
        if (code < 200) return
        status = code
        headers = received
      },
      onResponseData(responding, chunk) {
        bytes += chunk.length
        try {
          if (bytes > maxBytes) throw new ServiceError("upstream_error")
          reader.keep(chunk)
        } catch (error) {
          fail(error)
          responding.abort(error as Error)
        }
      },
      onResponseEnd() {
        signal.removeEventListener("abort", onAbort)
        resolve({ status, headers, body: reader.result() })
      },
      onResponseError: (_, error) => fail(error),
    })
  })
}
