import { once } from "node:events"
import * as http from "node:http"
import { sendError, sendJson, setCommonHeaders } from "@/lib/server/api/respond"
import type { Env } from "@/lib/server/platform/env"
import { ServiceError } from "@/lib/shared/errors"

function answer({ url = "/" }: http.IncomingMessage, response: http.ServerResponse): void {
  const [path] = url.split("?", 1)
  response.setHeader("connection", "close")
  if (path === "/healthz") sendJson(response, 200, '{"status":"ok"}')
  else if (path === "/readyz") sendJson(response, 503, '{"status":"unavailable","reason":"database_unreachable"}')
  else sendError(response, new ServiceError("internal_error"))
}

/**
 * Answers on the service's port until the database can be reached: `/healthz` with 200, so that nothing restarts the process, `/readyz`
 * with 503, and everything else as with a database that is down. Returns a function that frees the port. Rejects with the system's
 * error, such as EADDRINUSE.
 */
export async function openWaitingRoom(env: Env): Promise<() => Promise<void>> {
  const server = http.createServer((request, response) => {
    setCommonHeaders(response, env)
    answer(request, response)
  })
  server.listen({ port: env.PORT, host: env.HOST })
  await once(server, "listening")
  return async () => {
    const closed = once(server, "close")
    server.close()
    server.closeAllConnections()
    await closed
  }
}
