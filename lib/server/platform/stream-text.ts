import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    /** How many downloads each account has open in this process. */
    downloads: Map<string, number>
  }
}

const MAX_DOWNLOADS = 2
/** Next reads a download at once, but neither reads nor cancels one of a `HEAD` request, or of a client that left early. */
const UNREAD_MS = 10_000

/** Counts a download of an account. Returns a function that ends it, once. Throws `rate_limited` while two are open. */
function beginDownload({ downloads }: Runtime, accountId: string): () => void {
  const open = downloads.get(accountId) ?? 0
  if (open >= MAX_DOWNLOADS)
    throw new ServiceError("rate_limited", {
      message: `${MAX_DOWNLOADS} downloads of this account are running. Wait until one has ended.`,
    })
  downloads.set(accountId, open + 1)
  let isOpen = true
  return () => {
    if (!isOpen) return
    isOpen = false
    const left = (downloads.get(accountId) ?? 1) - 1
    if (left > 0) downloads.set(accountId, left)
    else downloads.delete(accountId)
  }
}

/**
 * Streams pieces of text or bytes as a download of an account. Each piece is generated when the client is ready for it. Stops when the
 * client leaves. Throws `rate_limited` while the account has two downloads open in this process. A download that nobody begins to read
 * counts for ten seconds.
 */
export function streamText(
  runtime: Runtime,
  accountId: string,
  pieces: AsyncGenerator<string | Uint8Array>,
): ReadableStream<Uint8Array> {
  const end = beginDownload(runtime, accountId)
  const unread = setTimeout(end, UNREAD_MS).unref()
  const encoder = new TextEncoder()
  const source: UnderlyingDefaultSource<Uint8Array> = {
    pull: async (controller) => {
      clearTimeout(unread)
      try {
        const { done, value } = await pieces.next()
        if (!done) return controller.enqueue(typeof value === "string" ? encoder.encode(value) : value)
        end()
        controller.close()
      } catch (error) {
        end()
        throw error
      }
    },
    cancel: async () => {
      clearTimeout(unread)
      end()
      await pieces.return(undefined)
    },
  }
  // Nothing is generated before the first read.
  return new ReadableStream(source, { highWaterMark: 0 })
}
