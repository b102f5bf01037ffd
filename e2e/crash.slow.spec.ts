import { testScale } from "../test/scale"
import { Clients } from "./support/clients"
import { setPrice } from "./support/price"
import { ONE_QUESTION } from "./support/requests"
import { Service } from "./support/service"
import { expect, test } from "./support/test"

const EMAIL = "load@example.com"
/** $10 and the welcome credit of $1, in micro-dollars. */
const START_MICRO = 11_000_000n

interface Verdict {
  ok: boolean
  checks: { name: string; ok: boolean }[]
}

let service: Service
let key: string
/** The cost of one question, at one micro-dollar per token. */
let chargeMicro: bigint
/** The number of charges in the balance at the last check. */
let charges = 1
test.describe.configure({ mode: "serial" })
test.beforeAll(async () => {
  service = await Service.startEmbedded({ LOG_LEVEL: "silent" })
  await setPrice(service, "1")
  key = (await service.createAccountWithKey(EMAIL)).key
  const first = await service.decide(key, ONE_QUESTION)
  const { usage } = (await first.json()) as { usage: { input_tokens: number } }
  chargeMicro = BigInt(usage.input_tokens)
})
test.afterAll(() => service.destroy())

/** Returns the number of charges since the last call, and checks the ledger's invariants. */
async function newCharges(): Promise<number> {
  const verdict = await service.operator<Verdict>("ledger", "verify")
  expect(verdict.checks.filter((check) => !check.ok)).toEqual([])
  expect(verdict.ok).toBe(true)
  const { balance_usd } = await service.operator<{ balance_usd: string }>("account", "show", EMAIL)
  const spentMicro = START_MICRO - BigInt(balance_usd.replace(".", "").slice(0, -6))
  expect(spentMicro % chargeMicro).toBe(0n)
  const before = charges
  charges = Number(spentMicro / chargeMicro)
  return charges - before
}

test("PostgreSQL killed under load restarts by itself: every 200 is charged, and nothing else", async () => {
  test.setTimeout(300_000 * testScale)
  const load = new Clients(service, key)
  for (let kill = 0; kill < testScale; kill++) {
    await load.goOn(200)
    process.kill(await service.postgresPid(), "SIGKILL")
  }
  await load.goOn(200)
  await load.stop()
  expect(await newCharges()).toBe(load.count(200))
})

test("after the server is killed under load, only requests whose connection broke are charged without a response", async () => {
  test.setTimeout(300_000 * testScale)
  const load = new Clients(service, key)
  for (let kill = 0; kill < testScale; kill++) {
    await load.goOn(200)
    await service.end("SIGKILL")
    await service.resume()
  }
  await load.goOn(200)
  await load.stop()
  const made = await newCharges()
  expect(load.count(null)).toBeGreaterThan(0)
  expect(made).toBeGreaterThanOrEqual(load.count(200))
  expect(made).toBeLessThanOrEqual(load.count(200) + load.count(null))
})
