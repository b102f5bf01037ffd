import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { gzipSync } from "node:zlib"
import pg from "pg"
import { createEdge } from "@/lib/server/api/edge"
import { createBackup } from "@/lib/server/backup/create-backup"
import { FolderPlace } from "@/lib/server/backup/folder-place"
import { pollEvents } from "@/lib/server/billing/poll-topups"
import { startTopup } from "@/lib/server/billing/start-topup"
import { receiveEvent } from "@/lib/server/billing/stripe-events"
import { pauseKey } from "@/lib/server/keys/change-key"
import { createKey } from "@/lib/server/keys/create-key"
import { saveLastUsed } from "@/lib/server/keys/key-cache"
import { revokeKey } from "@/lib/server/keys/revoke-key"
import { placeHold } from "@/lib/server/ledger/hold"
import { verifyLedger } from "@/lib/server/ledger/verify-ledger"
import { acceptInvitation } from "@/lib/server/members/accept-invitation"
import { inviteMember } from "@/lib/server/members/invitations"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { seedModels } from "@/lib/server/models/seed-models"
import { migrate } from "@/lib/server/platform/db/migrate"
import { readEnv } from "@/lib/server/platform/env"
import { newId, parsePublicId } from "@/lib/server/platform/ids"
import { installRuntime, type Runtime, runtime } from "@/lib/server/platform/runtime"
import { createRuntime } from "@/lib/server/start/create-runtime"
import { rollUpUsage } from "@/lib/server/usage/roll-up-usage"
import { createEndpoint } from "@/lib/server/webhooks/endpoints"
import { pico } from "@/lib/shared/money"
import { startStripe } from "@/test/doubles/stripe/start-stripe"
import { PRETEND_TEST_KEY, type StripeDouble } from "@/test/doubles/stripe/stripe-double"
import { urlOf } from "@/test/listen"
import { signUp } from "@/test/sign-up"

const MODEL = "svc-lexical-baseline-1"
const UNLIMITED = { limit: null, expiresAt: null }
const REQUEST = {
  model: "svc-decider-latest",
  state: "The parcel arrived late. Please refund me.",
  questions: {
    refund: { type: "noul", instructions: "Does the customer want a refund?" },
    topic: { type: "choice", instructions: "What is it about?", criteria: { delivery: "Parcel", billing: "Invoice" } },
    anger: { type: "score", instructions: "How angry is the customer?", criteria: ["calm", "annoyed", "angry"] },
  },
}

async function post(url: string, token: string, body: object, headers = {}): Promise<number> {
  const bearer = { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers }
  const { status } = await fetch(`${url}/v1/decisions`, { method: "POST", headers: bearer, body: JSON.stringify(body) })
  return status
}

/** Creates an account with members, keys, charges, refusals, an open hold, top-ups, a refund and a checkpoint of its ledger. */
async function play(app: Runtime, url: string, double: StripeDouble): Promise<number[]> {
  const owner = await signUp("ada@example.com")
  const friend = await signUp("grace@example.com")
  await acceptInvitation(app, friend, await inviteMember(app, owner, { email: "grace@example.com", role: "developer" }))
  await inviteMember(app, owner, { email: "mary@example.com", role: "viewer" })
  await createEndpoint(app, owner, { url: "https://hooks.example.com/ada", events: ["balance.low"] })

  const server = await createKey(app, owner, { name: "Server", ...UNLIMITED })
  const daily = { amountUsd: "1", period: "daily" } as const
  const limited = await createKey(app, owner, { name: "Daily", limit: daily, expiresAt: null })
  await pauseKey(app, owner, { id: (await createKey(app, owner, { name: "Paused", ...UNLIMITED })).id })
  await revokeKey(app, owner, { id: (await createKey(app, owner, { name: "Revoked", ...UNLIMITED })).id })

  for (const amountUsd of ["25", "10", "5"]) {
    const attempt = newId()
    const { checkoutUrl } = await startTopup(app, owner, { attempt, amountUsd, saveCard: false })
    if (amountUsd === "5") continue
    const { payment_intent: payment } = double.pay(new URL(checkoutUrl).pathname.split("/").at(-1) ?? "")
    if (amountUsd === "10") double.refund(String(payment), { amount: 300 })
  }
  await double.idle()
  await pollEvents(app)

  const statuses: number[] = []
  for (const { token } of [server, limited, server]) statuses.push(await post(url, token, REQUEST))
  for (let i = 0; i < 2; i++) statuses.push(await post(url, server.token, REQUEST, { "idempotency-key": "order-7" }))
  statuses.push(await post(url, server.token, { ...REQUEST, questions: {} }))
  await app.grants.close()
  await app.events.flush()
  await saveLastUsed(app)
  await rollUpUsage(app)
  statuses.push(await post(url, limited.token, REQUEST))
  await app.grants.close()
  const { ok } = await verifyLedger(app)
  if (!ok) throw new Error("the ledger is not sound")
  const actor = { accountId: owner.accountId, keyId: parsePublicId("key", server.id) ?? "" }
  await placeHold(app, { id: newId(), actor, modelId: MODEL, pricePico: pico(1_000n), maxTokens: 500, isKeyed: true })
  return statuses
}

/** Runs this version on the empty database that PGHOST and its like name, and writes a backup of it. */
async function fill(dataDir: string, backup: string): Promise<void> {
  const pool = new pg.Pool()
  const double = await startStripe({
    webhook: {
      to: (payload, signature) => receiveEvent(runtime(), Buffer.from(payload), signature),
      secrets: ["whsec_frozen"],
    },
  })
  const env = readEnv({
    NODE_ENV: "test",
    DATA_DIR: dataDir,
    AUTH_SECRET: "a-secret-for-tests-of-32-characters",
    WELCOME_CREDIT_USD: "1",
    STRIPE_SECRET_KEY: PRETEND_TEST_KEY,
    STRIPE_WEBHOOK_SECRET: "whsec_frozen",
    STRIPE_API_BASE: double.url,
  })
  await migrate(pool)
  const created = await createRuntime(env, pool, { role: "command" })
  installRuntime(created.runtime)
  await seedModels(runtime())
  await pool.query("UPDATE model SET price_pico = 1000 WHERE id = $1", [MODEL])
  await loadCatalogue(runtime())
  const edge = createEdge("api", null)
  await edge.listen({ port: 0, host: "127.0.0.1" })
  const statuses = await play(created.runtime, urlOf(edge.server), double)
  process.stdout.write(`The API returned ${statuses.join(", ")}\n`)
  edge.server.closeAllConnections()
  await edge.close()
  await created.close()
  const target = { place: new FolderPlace("."), file: backup }
  await createBackup(pool, target, { authSecret: null, key: null })
  await double.stop()
  await pool.end()
}

/**
 * Writes what `releases.slow.test.ts` opens with every later version: `VERSION.sql.gz`, the database of this version after a little of
 * everything, and `VERSION.backup`, its backup.
 */
const { version } = JSON.parse(readFileSync("package.json", "utf8"))
const release = path.join("test/releases", version)
for (const file of [`${release}.backup`, `${release}.sql.gz`]) rmSync(file, { force: true })
const dataDir = mkdtempSync(path.join(tmpdir(), "svcd-freeze-"))
await fill(dataDir, `${release}.backup`)
rmSync(dataDir, { recursive: true })
const dump = execFileSync("pg_dump", ["--inserts", "--no-owner", "--no-privileges"], { encoding: "utf8" })
// psql's own commands, which PostgreSQL does not know, begin with a backslash.
writeFileSync(`${release}.sql.gz`, gzipSync(dump.replace(/^\\.*\n/gm, ""), { level: 9 }))
process.stdout.write(`Wrote ${release}.sql.gz and ${release}.backup\n`)
