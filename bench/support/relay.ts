/** The minimal gateway: a `node:http` server that relays bodies through an undici pool. Arguments: port, engine's port. */
import * as http from "node:http"
import { Pool } from "undici"

const [port, enginePort] = process.argv.slice(2)
const pool = new Pool(`http://127.0.0.1:${enginePort}`, { connections: 256 })

async function relay(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const answer = await pool.request({
    method: request.method === "POST" ? "POST" : "GET",
    path: request.url ?? "/",
    headers: { "content-type": "application/json" },
    body: request.method === "POST" ? Buffer.concat(chunks) : null,
  })
  const body = Buffer.from(await answer.body.arrayBuffer())
  response.writeHead(answer.statusCode, { "content-type": "application/json", "content-length": body.length })
  response.end(body)
}

http
  .createServer({ keepAliveTimeout: 600_000, noDelay: true }, (request, response) => {
    relay(request, response).catch(() => response.destroy())
  })
  .listen(Number(port), "127.0.0.1")
