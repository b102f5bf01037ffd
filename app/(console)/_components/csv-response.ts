import { ServiceError } from "@/lib/shared/errors"

export const plainText = (text: string, status: number): Response =>
  new Response(`${text}\n`, { status, headers: { "content-type": "text/plain; charset=utf-8" } })

export const csvResponse = (name: string, body: ReadableStream<Uint8Array>): Response =>
  new Response(body, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "private, no-store",
    },
  })

/** Returns the refusal of a download as text. Throws any error that is not a `ServiceError`. */
export function refusedDownload(error: unknown): Response {
  if (error instanceof ServiceError) return plainText(error.message, error.status)
  throw error
}
