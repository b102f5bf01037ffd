import { setTimeout as sleep } from "node:timers/promises"
import { beforeAll, expect, vi } from "vitest"
import { setAccountStatus } from "@/lib/server/auth/account-status"
import { actorOfCookies } from "@/lib/server/auth/actor-of-cookies"
import { endAllSessions } from "@/lib/server/auth/sessions"
import { EngineEntry } from "@/lib/server/engines/engine-entry"
import { EngineGroup } from "@/lib/server/engines/engine-group"
import { FairQueue } from "@/lib/server/engines/fair-queue"
import { pauseKey } from "@/lib/server/keys/change-key"
import { revokeKey } from "@/lib/server/keys/revoke-key"
import { Grants } from "@/lib/server/ledger/grants"
import { changeRole, removeMember } from "@/lib/server/members/change-members"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { setPrice } from "@/lib/server/models/set-model"
import { OPERATOR, operatorFor, type UserActor } from "@/lib/server/platform/actor"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { createRuntime } from "@/lib/server/start/create-runtime"
import { LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { decideAs, ONE_NOUL } from "../decide-directly"
import { insertAccount, insertKey, insertSession } from "../insert-rows"
import { moneyOf } from "../ledger-state"
import { RawConnection } from "../raw-http"
import { gate } from "../scripted-engine"
import { type TestService, testService } from "../service"
import { LEXICAL } from "../system-one-model"

const THOUSAND_USD = 1_000_000_000_000_000n
const TEN_CENTS = 100_000_000_000n
export const BODY = JSON.stringify(ONE_NOUL)
const { state: STATE, ...ASKED } = ONE_NOUL
const BATCH_BODY = JSON.stringify({ ...ASKED, states: [STATE] })
/** The same question in OpenAI's form. It ends with the same byte. */
const OPENAI_BODY = JSON.stringify({
  model: ONE_NOUL.model,
  input: STATE,
  questions: [{ type: "predicate", instructions: "Is it?" }],
})

function bodyFor(route: string): string {
  if (route.startsWith("/openai/")) return OPENAI_BODY
  return route.endsWith("/batch") ? BATCH_BODY : BODY
}

export const OF_KEYS = ["revoked", "paused", "expired"] as const
export const OF_ACCOUNTS = ["suspended", "closed"] as const
export const OF_SESSIONS = ["signed out", "removed", "demoted"] as const
export type Kind = (typeof OF_KEYS)[number] | (typeof OF_ACCOUNTS)[number] | (typeof OF_SESSIONS)[number]

export const WAITS = ["for its last byte", "in a queue"] as const
export const PAYMENTS = ["a hold", "reserved credit"] as const

export interface Attack {
  route: string
  /** Null for the control, whose authority does not end. */
  kind: Kind | null
  waits: (typeof WAITS)[number] | "for the engine"
  pays: (typeof PAYMENTS)[number]
}

let service: TestService
/** Another process: this one receives no notice of what it changes. */
let other: Runtime
export const queue = new FairQueue(2)
const { wait: engineIsFree, open } = gate()
export const freeEngine = open
/** The accounts whose requests occupy the engine, or its count, until it is free. */
export const slow = new Set<string>()
/** When the engine began to work for an account, in ms of `performance.now()`. */
export const calls: { accountId: string; at: number }[] = []
/** The accounts whose token counts wait until the engine is free. */
export const counting = new Set<string>()

/** Answers two requests at a time at $0.10 each, and notes when they began. */
function installEngine(): void {
  const entry = new EngineEntry(
    {
      maxTokens: () => 1_000,
      countTokens: async (_request, _signal, { accountId } = { accountId: "" }) => {
        if (slow.has(accountId)) {
          counting.add(accountId)
          await engineIsFree()
        }
        return { state: 1_000, questions: [] }
      },
      check: async () => {},
      answer: async (_request, _signal, _take, { accountId } = { accountId: "" }) => {
        calls.push({ accountId, at: performance.now() })
        if (slow.has(accountId)) await engineIsFree()
        return [{ type: "noul", yes: 0.5 }]
      },
      isAlive: async () => true,
      probe: async () => ({ available: true }),
      close: async () => {},
    },
    queue,
    null,
    // States of batches wait in the same queue as other requests.
    new FairQueue(1_000),
  )
  vi.spyOn(service.runtime.engines, "get").mockReturnValue(new EngineGroup(LEXICAL, () => entry))
}

/** Prepares a test file. Returns the runtime of its service. */
export function attacksOnAuthority(): () => Runtime {
  beforeAll(start)
  return () => service.runtime
}

async function start(): Promise<() => Promise<void>> {
  service = await testService({}, { serve: "all" })
  // As with other traffic of the key, its reserved credit stays while a request waits.
  service.runtime.grants = new Grants(600_000)
  await setPrice(service.runtime, OPERATOR, { id: LEXICAL_BASELINE, pricePico: pico(100_000_000n) })
  await loadCatalogue(service.runtime)
  installEngine()
  const made = await createRuntime(service.runtime.env, service.runtime.pool, { role: "command" })
  other = made.runtime
  return async () => {
    await service.runtime.grants.close()
    await made.close()
  }
}

/** Returns how often an account was charged, and how many of these charges were drawn from reserved credit. */
async function chargesOf(accountId: string): Promise<{ charges: number; drawn: number }> {
  const { rows } = await service.runtime.pool.query(
    `SELECT count(*)::int AS charges, count(*) FILTER (WHERE expires_at = resolved_at + hold_lifetime())::int AS drawn
     FROM hold WHERE account_id = $1 AND state = 'captured'`,
    [accountId],
  )
  return rows[0]
}

/** Sends requests until the next one pays from reserved credit. */
async function reserveCredit(payer: { accountId: string; keyId: string }): Promise<void> {
  await vi.waitFor(
    async () => {
      await Promise.all(Array.from({ length: 20 }, () => decideAs(payer, new AbortController().signal)))
      expect((await chargesOf(payer.accountId)).drawn).toBeGreaterThan(0)
      expect((await moneyOf(payer.accountId)).held).toBeGreaterThanOrEqual(2n * TEN_CENTS)
    },
    { timeout: 20_000, interval: 10 },
  )
}

/** Creates an account with a key, an owner and a developer with a session. */
async function newMember() {
  const { accountId, playgroundKeyId } = await insertAccount(THOUSAND_USD)
  const { pool } = service.runtime
  await pool.query(
    "UPDATE account SET requests_per_second = 100000, requests_per_second_per_key = 100000 WHERE id = $1",
    [accountId],
  )
  const { keyId, token } = await insertKey(accountId)
  const owner = (await actorOfCookies(service.runtime, await insertSession(accountId), null)) as UserActor
  const cookie = await insertSession(accountId)
  const member = (await actorOfCookies(service.runtime, cookie, null)) as UserActor
  await pool.query("UPDATE member SET role = 'developer' WHERE user_id = $1", [member.userId])
  return { accountId, keyId, playgroundKeyId, token, owner, member, cookie }
}

type Member = Awaited<ReturnType<typeof newMember>>

/** Ends what a request is served by, through another process. */
const END: Record<Kind, (member: Member) => Promise<unknown>> = {
  revoked: ({ accountId, keyId }) => revokeKey(other, operatorFor(accountId), { id: publicId("key", keyId) }),
  paused: ({ accountId, keyId }) => pauseKey(other, operatorFor(accountId), { id: publicId("key", keyId) }),
  expired: ({ keyId }) => other.pool.query("UPDATE api_key SET expires_at = ledger_now() WHERE id = $1", [keyId]),
  suspended: ({ accountId }) => setAccountStatus(other, operatorFor(accountId), "suspended"),
  closed: ({ accountId }) => setAccountStatus(other, operatorFor(accountId), "closed"),
  "signed out": ({ member }) => endAllSessions(other, member),
  removed: ({ owner, member }) => removeMember(other, owner, { id: publicId("usr", member.userId) }),
  demoted: ({ owner, member }) => changeRole(other, owner, { id: publicId("usr", member.userId), role: "viewer" }),
}

/** Sends the head of a request. The server asks for the body once it has accepted the caller. */
async function sendHead(route: string, headers: Record<string, string>, bytes = BODY.length): Promise<RawConnection> {
  const connection = new RawConnection(service.url)
  const all = {
    host: "x",
    "content-type": "application/json",
    "content-length": bytes,
    expect: "100-continue",
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  await connection.write(`POST ${route} HTTP/1.1\r\n${lines.join("")}\r\n`)
  expect((await connection.awaitResponses())[0]?.status).toBe(100)
  return connection
}

const isOfConsole = (route: string): boolean => route.startsWith("/playground/") || route.startsWith("/evaluate/")

const headersOf = (route: string, { token, cookie, keyId }: Member, isByKey: boolean): Record<string, string> =>
  isOfConsole(route)
    ? {
        cookie,
        origin: service.runtime.env.CONSOLE_URL,
        ...(isByKey ? { "x-svc-key-id": publicId("key", keyId) } : {}),
      }
    : { authorization: `Bearer ${token}` }

export interface Prepared extends Attack {
  member: Member
  /** Whether the request names the key that it is charged to. */
  isByKey: boolean
}

export interface Sent extends Prepared {
  accountId: string
  connection: RawConnection
  before: { charges: number; drawn: number }
  /** In ms of `performance.now()`. */
  endedAt: number
}

/** Creates the account of a request, and reserves its credit while the engine is free. */
export async function prepare(attack: Attack): Promise<Prepared> {
  const { route, kind, pays } = attack
  const member = await newMember()
  const { accountId, keyId, playgroundKeyId } = member
  const isByKey = !isOfConsole(route) || OF_KEYS.some((one) => one === kind)
  if (pays === "reserved credit") await reserveCredit({ accountId, keyId: isByKey ? keyId : playgroundKeyId })
  return { ...attack, member, isByKey }
}

/** Sends everything but the last byte of a request, or a whole request that then waits for the engine. */
export async function send(
  prepared: Prepared,
  body: string | Buffer = bodyFor(prepared.route),
  headers: Record<string, string> = {},
): Promise<Sent> {
  const { route, waits, member, isByKey } = prepared
  const { accountId } = member
  const before = await chargesOf(accountId)
  const connection = await sendHead(route, { ...headersOf(route, member, isByKey), ...headers }, body.length)
  if (waits === "in a queue" && route === "/playground/tokens") slow.add(accountId)
  await connection.write(waits === "for its last byte" ? body.slice(0, -1) : body)
  return { ...prepared, accountId, connection, before, endedAt: Number.POSITIVE_INFINITY }
}

/** Ends the authority of requests, and waits for two seconds. */
export async function endAll(sent: Sent[]): Promise<void> {
  for (const one of sent) {
    if (one.kind === null) continue
    await END[one.kind](one.member)
    one.endedAt = performance.now()
  }
  await sleep(2_100)
}

export const nameOf = ({ kind, route, waits, pays }: Attack): string =>
  `${kind ?? "control"}, ${route}, waits ${waits}, pays from ${pays}`

export async function resultOf(one: Sent) {
  const { connection, accountId, before } = one
  const [, response] = await connection.awaitResponses(2, 60_000)
  connection.socket.destroy()
  const { status, headers = {}, body = "{}" } = response ?? {}
  const { charges, drawn } = await chargesOf(accountId)
  const { error } = JSON.parse(body)
  return {
    name: nameOf(one),
    status,
    code: error?.metadata?.code ?? error?.code ?? "ok",
    hasRateHeaders: Object.keys(headers).some((name) => name.startsWith("x-ratelimit")),
    charges: charges - before.charges,
    drawn: drawn - before.drawn,
  }
}
