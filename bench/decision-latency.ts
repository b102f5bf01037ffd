/**
 * Measures the latency of one paid decision with one question on the keyword scorer, including the durable charge. The
 * reference is a bare `node:http` handler that makes two SQL calls, a hold and a durable charge, on the same database. The service pays
 * most decisions from a grant instead. One client, alternating rounds.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import pg from "pg"
import { Pool } from "undici"
import { startEmbedded } from "@/lib/server/platform/db/embedded"
import { MODEL, ONE_QUESTION } from "../e2e/support/requests"
import { Service } from "../e2e/support/service"

const ROUNDS = 8
const PER_ROUND = 250
const BODY = JSON.stringify(ONE_QUESTION)

async function startReference(service: Service): Promise<{ url: string; stop(): Promise<void> }> {
  const embedded = await startEmbedded(service.dataDir, "command")
  const client = new pg.Client(embedded.config)
  await client.connect()
  const { rows } = await client.query("SELECT id, account_id FROM api_key WHERE kind = 'secret'")
  await client.end()
  await embedded.release()
  const args = [
    "--import",
    "tsx",
    "bench/support/reference-server.ts",
    service.dataDir,
    rows[0].account_id,
    rows[0].id,
    MODEL,
  ]
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })
  const [line] = (await once(child.stdout, "data")) as [Buffer]
  const stop = async () => {
    child.kill("SIGTERM")
    await once(child, "exit")
  }
  return { url: line.toString().trim(), stop }
}

async function round(pool: Pool, path: string, headers: Record<string, string>): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < PER_ROUND; i++) {
    const startedAt = performance.now()
    const { statusCode, body } = await pool.request({ method: "POST", path, headers, body: BODY })
    await body.dump()
    if (statusCode !== 200) throw new Error(`the response status was ${statusCode}`)
    times.push(performance.now() - startedAt)
  }
  return times
}

function quantile(times: number[], q: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN
}

const service = await Service.startEmbedded()
try {
  await service.operator("model", "price", MODEL, "1")
  const { key } = await service.createAccountWithKey("bench@example.com", { balanceUsd: "1000" })
  const reference = await startReference(service)
  const decisionPool = new Pool(service.url, { connections: 1 })
  const referencePool = new Pool(reference.url, { connections: 1 })
  const headers = { "content-type": "application/json", authorization: `Bearer ${key}` }
  const decisions: number[] = []
  const bare: number[] = []
  for (let i = 0; i <= ROUNDS; i++) {
    const ours = await round(decisionPool, "/v1/decisions", headers)
    const theirs = await round(referencePool, "/", headers)
    // The first round only warms up both.
    if (i > 0) decisions.push(...ours)
    if (i > 0) bare.push(...theirs)
  }
  await Promise.all([decisionPool.close(), referencePool.close()])
  await reference.stop()
  const row = (name: string, q: number) => {
    const [a, b] = [quantile(decisions, q), quantile(bare, q)]
    console.log(`${name}  decision ${a.toFixed(2)} ms   bare handler ${b.toFixed(2)} ms   ratio ${(a / b).toFixed(2)}`)
  }
  console.log(`One question, one client, ${decisions.length} requests each, alternating rounds`)
  row("p50", 0.5)
  row("p90", 0.9)
  row("p99", 0.99)
} finally {
  await service.destroy()
}
