import { setTimeout as sleep } from "node:timers/promises"
import { beforeEach, expect, test, vi } from "vitest"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { runtime } from "@/lib/server/platform/runtime"
import { findVisitorKey } from "@/lib/server/visitors/visitor-key"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { columnsWith, query } from "../closing-fixture"
import { insertAccount, insertKey, insertSession } from "../insert-rows"
import { exchange, RawConnection } from "../raw-http"
import { testService } from "../service"

/** What visitors send is checked against all of the log, the metrics and the database. */
const MARK = "zqcanary"
const NAME = "zqname"
const BODY = {
  model: ALIAS,
  state: `${MARK} state`,
  questions: {
    [NAME]: { type: "choice", instructions: `${MARK} text`, criteria: { one: `${MARK} a`, two: `${MARK} b` } },
  },
}

const { url } = await testService(
  { TRY_WITHOUT_ACCOUNT: "1", TRUSTED_PROXY_HOPS: "1", METRICS_TOKEN: "scraper" },
  { serve: "all" },
)
await query("UPDATE model SET price_pico = 20000 WHERE engine = 'lexical'")
await loadCatalogue(runtime())
// Otherwise the rates of a second would refuse runs before the limit of a day is reached.
vi.spyOn(runtime().rates, "countAddress").mockResolvedValue(true)
await findVisitorKey(runtime())
await query("UPDATE account SET requests_per_second = 1000, requests_per_second_per_key = 1000")
const consoleUrl = runtime().env.CONSOLE_URL
beforeEach(async () => {
  await query("DELETE FROM visitor_run")
})

let clients = 0
/** Returns the address of a client that was never here, in a network of its own. */
const newcomer = () => `203.0.${++clients}.1`

function send(client: string, headers: Record<string, string> = {}, body: BodyInit = JSON.stringify(BODY)) {
  return fetch(`${url}/try/decisions`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: consoleUrl, "x-forwarded-for": client, ...headers },
    body,
  })
}

/** Returns the head of a newcomer's run, which ends with these headers. */
const rawHead = (...headers: string[]): string =>
  [
    "POST /try/decisions HTTP/1.1",
    "host: localhost",
    `origin: ${consoleUrl}`,
    "content-type: application/json",
    `x-forwarded-for: ${newcomer()}`,
    ...headers,
    "\r\n",
  ].join("\r\n")

/** Sends one run after another. Returns their statuses. */
async function statusesOf(clients: string[]): Promise<number[]> {
  const statuses: number[] = []
  for (const client of clients) statuses.push((await send(client)).status)
  return statuses
}

const charges = async () => (await query("SELECT FROM ledger_entry WHERE kind = 'charge'")).rowCount

test("the eleventh run of an address block is refused and charged to nobody, whatever address a client forges", async () => {
  const before = (await charges()) ?? 0
  // Each run is of another address of one IPv6 /64, behind another forged address.
  const block = Array.from({ length: 11 }, (_, i) => `192.0.2.${i}, 2001:db8:7:7::${i + 1}`)
  expect(await statusesOf(block)).toEqual([...Array(10).fill(200), 429])
  expect(await statusesOf(Array.from({ length: 11 }, (_, i) => `10.0.0.${i}, 198.51.100.4`))).toEqual([
    ...Array(10).fill(200),
    429,
  ])
  expect(await charges()).toBe(before + 20)
  expect(await statusesOf(["not an address", ""])).toEqual([400, 400])
})

test("a body over 16 KiB is refused, also when the headers hide its length", async () => {
  const long = JSON.stringify({ ...BODY, state: "a".repeat(16_384) })
  expect((await send(newcomer(), {}, long)).status).toBe(413)
  const small = JSON.stringify(BODY)
  const chunk = `${small.length.toString(16)}\r\n${small}\r\n0\r\n\r\n`
  expect(await exchange(url, rawHead("transfer-encoding: chunked", "connection: close") + chunk)).toMatchObject({
    status: 413,
  })
  const zip = new Response(new Blob([long]).stream().pipeThrough(new CompressionStream("gzip")))
  const zipped = await zip.arrayBuffer()
  expect(zipped.byteLength).toBeLessThan(1_000)
  expect((await send(newcomer(), { "content-encoding": "gzip" }, zipped)).status).toBe(413)
})

test("other origins, and none, are refused before anything is counted", async () => {
  const origins = ["https://evil.example", "null", `${consoleUrl}.evil.example`, ""]
  const statuses = await Promise.all(origins.map(async (origin) => (await send(newcomer(), { origin })).status))
  expect(statuses).toEqual([403, 403, 403, 403])
  expect((await query("SELECT FROM visitor_run")).rowCount).toBe(0)
  const preflight = await fetch(`${url}/try/decisions`, {
    method: "OPTIONS",
    headers: { origin: "https://evil.example" },
  })
  expect(preflight.headers.get("access-control-allow-origin")).toBe(null)
})

test("a session and a key are neither read nor created: the account of visitors pays, and no cookie is set", async () => {
  const { accountId } = await insertAccount(1_000_000_000_000n)
  const cookie = await insertSession(accountId)
  const { token, keyId } = await insertKey(accountId)
  const sessions = (await query("SELECT FROM session")).rowCount
  const response = await send(newcomer(), { cookie, authorization: `Bearer ${token}`, "x-svc-key-id": keyId })
  expect([response.status, response.headers.get("set-cookie")]).toEqual([200, null])
  expect((await query("SELECT FROM session")).rowCount).toBe(sessions)
  expect(
    (await query("SELECT FROM ledger_entry WHERE kind = 'charge' AND account_id = $1", [accountId])).rowCount,
  ).toBe(0)
})

/** What the operator can end, and how it goes on. */
const ENDS: [end: string, begin: string][] = [
  [
    "UPDATE api_key SET paused_at = now() WHERE name = 'Visitors'",
    "UPDATE api_key SET paused_at = NULL WHERE name = 'Visitors'",
  ],
  [
    "UPDATE account SET status = 'suspended' WHERE id = (SELECT account_id FROM api_key WHERE name = 'Visitors')",
    "UPDATE account SET status = 'active' WHERE status = 'suspended'",
  ],
]

test.each(ENDS)(
  "a run whose last byte comes over 2 s after the operator's end of it is refused: %s",
  async (end, begin) => {
    const before = await charges()
    const body = JSON.stringify(BODY)
    const connection = new RawConnection(url)
    await connection.write(rawHead(`content-length: ${body.length}`) + body.slice(0, -1))
    // The head was read once its run is counted.
    await expect.poll(async () => (await query("SELECT FROM visitor_run")).rowCount).toBeGreaterThan(0)
    await query(end)
    await sleep(2_100)
    await connection.write(body.slice(-1))
    const [answer] = await connection.awaitResponses()
    connection.socket.destroy()
    await query(begin)
    expect(answer?.status).toBe(404)
    expect(await charges()).toBe(before)
    expect((await send(newcomer())).status).toBe(200)
  },
)

test("nothing that visitors send is in the log, the metrics or the database", async () => {
  const lines: unknown[] = []
  const logs = (["info", "warn", "error"] as const).map((level) =>
    vi.spyOn(runtime().log, level).mockImplementation((...line) => void lines.push(line)),
  )
  const { questions } = BODY
  const bodies: [unknown, number][] = [
    [BODY, 200],
    [{ ...BODY, model: MARK }, 400],
    [{ ...BODY, questions: { ...questions, [MARK]: MARK } }, 400],
    [`{"${MARK}`, 400],
  ]
  for (const [body, status] of bodies)
    expect((await send(newcomer(), {}, typeof body === "string" ? body : JSON.stringify(body))).status).toBe(status)
  await runtime().events.flush()
  expect((await query("SELECT FROM request_event WHERE status = 400")).rowCount).toBeGreaterThan(2)
  for (const log of logs) log.mockRestore()
  expect(JSON.stringify(lines)).toContain("/try/decisions")
  expect(JSON.stringify(lines)).not.toMatch(/zqcanary|zqname|203\.0\./)
  const metrics = await (await fetch(`${url}/metrics`, { headers: { authorization: "Bearer scraper" } })).text()
  expect(metrics).toContain('route="/try/decisions"')
  expect(metrics).not.toMatch(/zqcanary|zqname/)
  expect([await columnsWith(MARK), await columnsWith(NAME), await columnsWith("203.0.")]).toEqual([[], [], []])
})

test("while trying without an account is off, a run is 404 like an unknown address", async () => {
  runtime().env.isTryOpen = false
  const [off, unknown] = await Promise.all([
    send(newcomer()),
    fetch(`${url}/try/nothing`, {
      method: "POST",
      headers: { origin: consoleUrl, "x-forwarded-for": newcomer() },
    }),
  ])
  runtime().env.isTryOpen = true
  expect([off.status, unknown.status]).toEqual([404, 404])
  expect((await off.json()).error.message).toBe((await unknown.json()).error.message)
})
