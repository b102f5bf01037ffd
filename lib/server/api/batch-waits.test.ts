import { expect, it, onTestFinished, vi } from "vitest"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { insertFastKey } from "@/test/insert-rows"
import { moneyOf } from "@/test/ledger-state"
import { BATCH_PLACES, gate } from "@/test/scripted-engine"
import { scriptedService } from "@/test/scripted-service"

const TEN_CENTS = 100_000_000_000n
const DOLLAR = 10n * TEN_CENTS
const STATES = 6

const scripted = scriptedService()

/** Sends a batch. Returns its status and what its results say: `ok`, or the code of an error. */
async function send(token: string, count = STATES): Promise<[status: number, words: string[]]> {
  const questions = { q: { type: "noul", instructions: "Is it?" } }
  const states = Array.from({ length: count }, (_, i) => `State ${i}`)
  const response = await fetch(`${scripted.service.url}/v1/systemone/batch`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ model: ALIAS, questions, states }),
  })
  type Result = { error?: { code: string } }
  const body = (await response.json()) as Result & { results?: Result[] }
  return [response.status, (body.results ?? [body]).map(({ error }) => error?.code ?? "ok")]
}

const ANSWERED = [200, Array(STATES).fill("ok")]

/** Sends two batches of different accounts, whose states wait at the engine until `open`. */
async function sendTwo() {
  const { wait, open } = gate()
  const seen = { most: 0 }
  scripted.engine.waitBeforeAnswer = () => {
    seen.most = Math.max(seen.most, scripted.engine.working)
    return wait()
  }
  const [first, second] = [await insertFastKey(DOLLAR), await insertFastKey(DOLLAR)]
  const heldBy = async ({ accountId }: { accountId: string }) => (await moneyOf(accountId)).held
  const ofFirst = send(first.token)
  await expect.poll(() => scripted.engine.working).toBe(BATCH_PLACES)
  const ofSecond = send(second.token)
  await expect.poll(() => heldBy(second)).toBe(BigInt(BATCH_PLACES) * TEN_CENTS)
  return { first, second, ofFirst, ofSecond, open, heldBy, seen }
}

it("the batches of all customers together have the places of one, and reserve only for states that begin", async () => {
  const { first, second, ofFirst, ofSecond, open, heldBy, seen } = await sendTwo()
  expect(await heldBy(first)).toBe(BigInt(BATCH_PLACES) * TEN_CENTS)
  open()
  expect([await ofFirst, await ofSecond]).toEqual([ANSWERED, ANSWERED])
  expect(seen.most).toBe(BATCH_PLACES)
  for (const { accountId } of [first, second])
    expect(await moneyOf(accountId)).toMatchObject({ balance: 4n * TEN_CENTS, held: 0n, charges: STATES })
})

it("states whose key ends while they wait for a place are refused, and the other batch is answered", async () => {
  const { first, second, ofFirst, ofSecond, open } = await sendTwo()
  await runtime().pool.query("UPDATE api_key SET revoked_at = now() WHERE id = $1", [second.keyId])
  // Later than the service relies on what it knows of a key.
  const now = performance.now.bind(performance)
  vi.spyOn(performance, "now").mockImplementation(() => now() + 2_000)
  open()
  expect([await ofFirst, await ofSecond]).toEqual([ANSWERED, [401, ["invalid_api_key"]]])
  expect(await moneyOf(first.accountId)).toMatchObject({ held: 0n, charges: STATES })
  expect(await moneyOf(second.accountId)).toMatchObject({ balance: DOLLAR, held: 0n, charges: 0 })
})

it("64 states at once make Node warn of nothing", async () => {
  // The built-in scorer has more places than Node expects listeners of one signal.
  vi.restoreAllMocks()
  const warnings: string[] = []
  const note = ({ name }: Error) => void warnings.push(name)
  process.on("warning", note)
  onTestFinished(() => void process.off("warning", note))
  const { token } = await insertFastKey(DOLLAR)
  expect(await send(token, 64)).toEqual([200, Array(64).fill("ok")])
  expect(warnings).toEqual([])
})
