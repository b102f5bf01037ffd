/**
 * Spends balances as fast as it can, in a process of its own. Each line that it reads names a payer. It then sends `parallel` requests
 * at a time, each held and charged, until all loops were refused. Prints a line for each charge that was confirmed, and how
 * it ended. Argument: the settings as JSON.
 */
import * as readline from "node:readline"
import { capture, placeHold, releaseHold } from "@/lib/server/ledger/hold"
import { connectDatabase } from "@/lib/server/platform/db/connect"
import { readEnv } from "@/lib/server/platform/env"
import { newId } from "@/lib/server/platform/ids"
import { installRuntime, runtime } from "@/lib/server/platform/runtime"
import { createRuntime } from "@/lib/server/start/create-runtime"
import { pico } from "@/lib/shared/money"

export interface SpendSettings {
  databaseUrl: string
  modelId: string
  pricePico: string
  maxTokens: number
  /** The tokens charged; every seventh request fails and charges nothing when this is below `maxTokens`. */
  tokens: number
  /** An upper bound of the tokens, which is held unless a limit is near. */
  boundTokens?: number
  /** How many requests run at a time; 8 by default. */
  parallel?: number
  /** Places a hold for each request, as for one with an `Idempotency-Key`. */
  isKeyed?: boolean
  tags?: string[]
}

interface Payer {
  accountId: string
  keyId: string
}

const settings = JSON.parse(process.argv[2] ?? "{}") as SpendSettings
const { modelId, maxTokens, tokens, boundTokens, parallel = 8, isKeyed = false, tags = [] } = settings

async function place(id: string, actor: Payer): Promise<string> {
  const request = { id, actor, modelId, pricePico: pico(BigInt(settings.pricePico)), maxTokens, isKeyed, tags }
  const isBound = boundTokens !== undefined
  const { outcome } = await placeHold(runtime(), { ...request, maxTokens: boundTokens ?? maxTokens, isBound })
  return outcome === "near" ? (await placeHold(runtime(), request)).outcome : outcome
}

async function spend(actor: Payer): Promise<string> {
  const { accountId } = actor
  for (let i = 0; ; i++) {
    const id = newId()
    const outcome = await place(id, actor)
    if (outcome !== "held") return outcome
    if (tokens < maxTokens && i % 7 === 0) await releaseHold(runtime(), { id, accountId })
    else {
      const state = await capture(runtime(), { id, accountId }, { tokens, latencyMs: 1, questionCounts: { noul: 1 } })
      if (state !== "captured") return state
      process.stdout.write(`${id}\n`)
    }
  }
}

const env = readEnv({
  NODE_ENV: "test",
  LOG_LEVEL: "silent",
  AUTH_SECRET: "a-secret-for-tests-of-32-characters",
  DATABASE_URL: settings.databaseUrl,
})
const database = await connectDatabase(env, "command")
const made = await createRuntime(env, database.pool, { role: "command" })
installRuntime(made.runtime)
process.stdout.write("ready\n")
const lines = readline.createInterface({ input: process.stdin })
lines.on("line", async (line) => {
  const payer = JSON.parse(line) as Payer
  const ends = await Promise.all(Array.from({ length: parallel }, () => spend(payer)))
  process.stdout.write(`ended ${[...new Set(ends)].join(" ")}\n`)
})
lines.once("close", async () => {
  await made.close()
  await database.close()
  process.exit()
})
