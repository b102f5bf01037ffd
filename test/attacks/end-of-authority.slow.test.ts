import { expect, it } from "vitest"
import { publicRoutes } from "@/lib/server/api/public-routes"
import { checkLedger } from "@/lib/server/ledger/verify-ledger"
import { ENCODERS } from "../encode-body"
import { printFigure } from "../figures"
import { moneyOf } from "../ledger-state"
import {
  type Attack,
  attacksOnAuthority,
  BODY,
  calls,
  counting,
  endAll,
  freeEngine,
  type Kind,
  nameOf,
  OF_ACCOUNTS,
  OF_KEYS,
  OF_SESSIONS,
  PAYMENTS,
  type Prepared,
  prepare,
  queue,
  resultOf,
  type Sent,
  send,
  slow,
  WAITS,
} from "./waiting-requests"

/** Every route with a body, and what ends the authority of its requests. */
const ROUTES: Record<string, readonly Kind[]> = {
  "/v1/decisions": [...OF_KEYS, ...OF_ACCOUNTS],
  "/v1/systemone": [...OF_KEYS, ...OF_ACCOUNTS],
  "/v1/systemone/batch": [...OF_KEYS, ...OF_ACCOUNTS],
  "/api/alpha/decisions": [...OF_KEYS, ...OF_ACCOUNTS],
  "/api/v1/systemone": [...OF_KEYS, ...OF_ACCOUNTS],
  "/api/v1/decisions": [...OF_KEYS, ...OF_ACCOUNTS],
  "/openai/v1/decisions": [...OF_KEYS, ...OF_ACCOUNTS],
  "/v1/outcomes": [...OF_KEYS, ...OF_ACCOUNTS],
  "/playground/decisions": [...OF_KEYS, ...OF_ACCOUNTS, ...OF_SESSIONS],
  "/evaluate/decisions": [...OF_KEYS, ...OF_ACCOUNTS, ...OF_SESSIONS],
  "/playground/tokens": [...OF_ACCOUNTS, ...OF_SESSIONS],
}
/** Routes that charge nothing. */
const FREE = ["/v1/outcomes", "/playground/tokens"]
/** Outcomes wait in no queue. */
const waitsOf = (route: string) => (route === "/v1/outcomes" ? WAITS.slice(0, 1) : WAITS)

const ATTACKS: Attack[] = Object.entries(ROUTES).flatMap(([route, kinds]) =>
  [null, ...kinds].flatMap((kind) =>
    waitsOf(route).flatMap((waits) =>
      (FREE.includes(route) ? PAYMENTS.slice(0, 1) : PAYMENTS).map((pays) => ({ route, kind, waits, pays })),
    ),
  ),
)

const runtime = attacksOnAuthority()

function expectedOf(one: Prepared) {
  const { kind, route, isByKey, pays } = one
  const isCount = route === "/playground/tokens"
  const refused = { name: nameOf(one), hasRateHeaders: false, charges: 0, drawn: 0 }
  if (kind === "demoted") return { ...refused, status: 403, code: "forbidden", hasRateHeaders: !isCount }
  if (kind !== null) return { ...refused, status: 401, code: isByKey ? "invalid_api_key" : "signed_out" }
  // The account keeps no outcomes.
  if (route === "/v1/outcomes") return { ...refused, status: 400, code: "invalid_request" }
  const drawn = pays === "reserved credit" ? 1 : 0
  return { ...refused, status: 200, code: "ok", hasRateHeaders: !isCount, charges: isCount ? 0 : 1, drawn }
}

/** Returns how many requests were charged whose call to the engine began over 2 s after the end of their authority. */
function printLateCharges(sent: Sent[], results: { charges: number }[]): number {
  const late = sent.filter(
    ({ accountId, endedAt }, i) =>
      results[i]?.charges && calls.some((call) => call.accountId === accountId && call.at > endedAt + 2_000),
  )
  const of = (kind: Kind) => late.filter((one) => one.kind === kind).length
  const kinds = [...OF_KEYS, ...OF_ACCOUNTS, ...OF_SESSIONS].map((kind) => [kind, of(kind)])
  printFigure(`late charges of ${sent.filter(({ kind }) => kind).length} requests`, Object.fromEntries(kinds))
  return late.length
}

/** Its authority is the operator's alone. `visitors.slow.test.ts` attacks it. */
const OF_VISITORS = "/try/decisions"

it("every route that takes a body is attacked", () => {
  const posts = publicRoutes(runtime().env).filter(({ method }) => method === "POST")
  expect(posts.map(({ path }) => path)).toEqual([...Object.keys(ROUTES), OF_VISITORS])
})

/** Starts two requests that keep both places of the engine. Their keys are revoked while it works. */
async function occupyEngine(prepared: Prepared[]): Promise<Sent[]> {
  calls.length = 0
  for (const { member } of prepared) slow.add(member.accountId)
  const sent = await Promise.all(prepared.map((one) => send(one)))
  await expect.poll(() => calls.filter(({ accountId }) => slow.has(accountId))).toHaveLength(2)
  return sent
}

it("a request is refused once its authority ended over 2 s before its last byte or its turn at the engine", async () => {
  const occupants: Prepared[] = []
  for (const pays of PAYMENTS)
    occupants.push(await prepare({ route: "/v1/decisions", kind: "revoked", waits: "for the engine", pays }))
  const prepared: Prepared[] = []
  for (const attack of ATTACKS) prepared.push(await prepare(attack))
  const occupying = await occupyEngine(occupants)
  counting.clear()
  const sent: Sent[] = []
  for (const one of prepared) sent.push(await send(one))
  const queued = (isCount: boolean) =>
    sent.filter(({ waits, route }) => waits === "in a queue" && (route === "/playground/tokens") === isCount).length
  await expect.poll(() => [queue.state.waiting, counting.size]).toEqual([queued(false), queued(true)])

  await endAll([...occupying, ...sent])
  freeEngine()
  for (const { waits, connection } of sent) if (waits === "for its last byte") await connection.write(BODY.slice(-1))
  const results = await Promise.all(sent.map(resultOf))
  expect(printLateCharges(sent, results)).toBe(0)
  expect(results).toEqual(prepared.map(expectedOf))
  // The engine's work had begun, so these finish and are charged.
  for (const one of await Promise.all(occupying.map(resultOf))) expect(one).toMatchObject({ status: 200, charges: 1 })

  const ended = sent.filter(({ kind, isByKey }) => kind && (isByKey || OF_ACCOUNTS.some((one) => one === kind)))
  const held = async () => (await Promise.all(ended.map(({ accountId }) => moneyOf(accountId)))).map((one) => one.held)
  expect(await held()).toEqual(ended.map(() => 0n))
  expect((await checkLedger(runtime().pool)).filter(({ ok }) => !ok)).toEqual([])
})

/** Sends the body twice, with a key that is revoked before the last byte and with one that is not. Returns the statuses. */
async function statusesOf(body: Buffer, headers: Record<string, string> = {}) {
  const sent: Sent[] = []
  for (const kind of [null, "revoked"] as const) {
    const attack = { route: "/v1/decisions", kind, waits: "for its last byte", pays: "a hold" } as const
    sent.push(await send(await prepare(attack), body, headers))
  }
  await endAll(sent)
  const statuses: (number | undefined)[] = []
  for (const one of sent) {
    await one.connection.write(body.subarray(-1))
    statuses.push((await resultOf(one)).status)
  }
  return { control: statuses[0], revoked: statuses[1] }
}

it("a late 401 comes before the 400 of a bad body, and the control is 400", async () => {
  expect(await statusesOf(Buffer.from(`${BODY}!`))).toEqual({ control: 400, revoked: 401 })
})

it("a late 401 comes before a compressed body is decoded, whatever it decodes to", async () => {
  const encoded = { "content-encoding": "zstd" }
  const bodies: [Buffer, number][] = [
    [ENCODERS.zstd(Buffer.from(BODY)), 200],
    [Buffer.from(BODY), 400],
    [ENCODERS.zstd(Buffer.alloc(8_000_000, " ")), 413],
  ]
  for (const [body, control] of bodies) expect(await statusesOf(body, encoded)).toEqual({ control, revoked: 401 })
})
