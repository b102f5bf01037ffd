import { execFile } from "node:child_process"
import * as http from "node:http"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { openCatalogue } from "@/lib/server/models/seed-models"
import { setPrice } from "@/lib/server/models/set-model"
import { OPERATOR } from "@/lib/server/platform/actor"
import { LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { operatorToken } from "@/test/admin-api"
import { testRuntime } from "@/test/database"
import { listen } from "@/test/listen"
import { ADMIN_API } from "./admin-api"
import { answerManagement } from "./answer"

const runtime = await testRuntime()
await openCatalogue(runtime)
const { token } = await operatorToken("Deploy")

const url = await listen(
  http.createServer(async (request, response) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = "", headers } = request
    const body = chunks.length > 0 ? new Uint8Array(Buffer.concat(chunks)) : null
    const sent = new Request(`http://localhost${request.url}`, { method, headers: headers as HeadersInit, body })
    const answer = await answerManagement(runtime, ADMIN_API, sent)
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
  }),
)

/** Runs the script of the docs on its example. Returns the lines that it prints, without secrets. */
async function apply(...options: string[]): Promise<string[]> {
  const args = ["docs/operating/apply-state.mjs", "docs/operating/apply-state.example.yaml", ...options]
  const env = { NODE_ENV: "test" as const, CONSOLE_URL: url, SVC_ADMIN_TOKEN: token }
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  return stdout
    .trim()
    .split("\n")
    .filter((line) => !/^(?:svcd_.*)?$/.test(line))
}

test("the script of the docs reaches the state of its file, then changes nothing, then only what was changed by hand", async () => {
  expect(await apply()).toEqual([
    "create account search@example.com",
    "search@example.com: 20 to 30 req/s",
    "search@example.com: key production",
    "search@example.com: 25 USD, start-2026",
    `${LEXICAL_BASELINE}: price, from 0.020000`,
    "5 changes",
  ])
  expect(await apply()).toEqual(["0 changes"])
  await setPrice(runtime, OPERATOR, { id: LEXICAL_BASELINE, pricePico: pico(3_000_000n) })
  const difference = [`${LEXICAL_BASELINE}: price, from 3.000000`, "1 changes"]
  expect(await apply("--dry-run")).toEqual(difference)
  expect(await apply()).toEqual(difference)
  expect(await apply()).toEqual(["0 changes"])
  const { rows } = await runtime.pool.query(
    "SELECT count(*)::int AS n, sum(amount_pico)::text AS sum FROM ledger_entry WHERE kind = 'credit'",
  )
  expect(rows).toEqual([{ n: 1, sum: "25000000000000" }])
})
