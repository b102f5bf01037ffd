import { requireDownload } from "@/lib/server/auth/session"
import type { UserActor } from "@/lib/server/platform/actor"
import { ServiceError } from "@/lib/shared/errors"
import type { SessionPath } from "@/lib/shared/pages"

interface Download {
  name: string
  type: "text/csv; charset=utf-8" | "application/x-ndjson; charset=utf-8" | "application/zip"
  body: ReadableStream<Uint8Array>
}

/** Returns the handler of a file that the page at `path` links to. Responds with a refusal, a thrown `ServiceError`, as text. */
export const downloadRoute =
  (path: SessionPath, read: (actor: UserActor, query: URLSearchParams) => Promise<Download>) =>
  async (request: Request): Promise<Response> => {
    const actor = await requireDownload(request, path)
    try {
      const { name, type, body } = await read(actor, new URL(request.url).searchParams)
      const headers = { "content-disposition": `attachment; filename="${name}"`, "cache-control": "private, no-store" }
      return new Response(body, { headers: { "content-type": type, ...headers } })
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      const headers = { "content-type": "text/plain; charset=utf-8" }
      return new Response(`${error.message}\n`, { status: error.status, headers })
    }
  }
