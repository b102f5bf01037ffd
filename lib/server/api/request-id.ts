import type { ServerResponse } from "node:http"
import { newId, publicId } from "@/lib/server/platform/ids"

/** Gives a response its own `x-request-id`, before anything can fail; answers the UUID behind it. */
export function assignRequestId(response: ServerResponse): string {
  const id = newId()
  response.setHeader("x-request-id", publicId("req", id))
  return id
}
