/**
 * The reference for a paid decision: a bare `node:http` handler. It only reads the body and makes two SQL calls, a hold and a
 * durable charge. Arguments: data folder, account UUID, key UUID, model id.
 */
import * as http from "node:http"
import type { AddressInfo } from "node:net"
import pg from "pg"
import { startEmbedded } from "@/lib/server/platform/db/embedded"
import { newId } from "@/lib/server/platform/ids"

const [dataDir = "", accountId, keyId, modelId] = process.argv.slice(2)
const embedded = await startEmbedded(dataDir, "command")
const pool = new pg.Pool({ ...embedded.config, max: 10 })

const server = http.createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  JSON.parse(Buffer.concat(chunks).toString())
  const id = newId()
  await pool.query({
    name: "hold",
    text: "SELECT * FROM admit_holds($1, $2, $3, $4, $5, $6)",
    values: [[id], [accountId], [keyId], [modelId], [1], [100]],
  })
  await pool.query({
    name: "charge",
    text: "SELECT state FROM charge_holds($1, $2, $3, $4)",
    values: [[id], [20], [1], ['{"noul":1}']],
  })
  response.writeHead(200, { "content-type": "application/json" })
  response.end('{"ok":true}')
})
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
process.on("SIGTERM", async () => {
  server.close()
  await pool.end()
  await embedded.release()
  process.exit(0)
})
