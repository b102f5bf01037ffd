import { setTimeout as sleep } from "node:timers/promises"
import { expect, test } from "@playwright/test"
import { MODEL, ONE_QUESTION } from "./support/requests"
import { Service } from "./support/service"

const REQUESTS = 1_000
const CLIENTS = 20
const RETRY_MS = 50

interface Verdict {
  ok: boolean
  checks: { name: string; ok: boolean }[]
}
interface Ledger {
  balance_usd: string
  held_usd: string
}

/** Posts until `REQUESTS` have been tried, 20 at a time, and calls `midway` once a third is through; answers how many were 200. */
async function load(service: Service, key: string, midway: () => Promise<void>): Promise<number> {
  let tried = 0
  let answered = 0
  let disturbed: Promise<void> | null = null
  const client = async () => {
    while (tried < REQUESTS) {
      tried++
      const response = await service.decide(key, ONE_QUESTION).catch(() => null)
      if (response?.status === 200) answered++
      else await sleep(RETRY_MS)
      if (answered >= REQUESTS / 3) disturbed ??= midway()
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  await disturbed
  return answered
}

/** How many charges of $0.000010 the balance shows: the price is one micro-dollar a token, the question has ten. */
async function chargesOf(service: Service, email: string, chargeMicro: bigint): Promise<bigint> {
  const { balance_usd } = await service.operator<Ledger>("account", "show", email)
  const spentMicro = 11_000_000n - BigInt(balance_usd.replace(".", "").slice(0, -6))
  expect(spentMicro % chargeMicro).toBe(0n)
  return spentMicro / chargeMicro
}

test.describe("the ledger survives", () => {
  test.setTimeout(240_000)
  let service: Service
  test.beforeEach(async () => {
    service = await Service.start({ LOG_LEVEL: "silent" })
    await service.operator("model", "price", MODEL, "1")
  })
  test.afterEach(() => service.destroy())

  async function prepare(email: string) {
    const { key } = await service.mint(email)
    const first = await service.decide(key, ONE_QUESTION)
    const { usage } = (await first.json()) as { usage: { input_tokens: number } }
    return { key, chargeMicro: BigInt(usage.input_tokens) }
  }

  async function expectSound() {
    const verdict = await service.operator<Verdict>("ledger", "verify")
    expect(verdict.checks.filter((check) => !check.ok)).toEqual([])
    expect(verdict.ok).toBe(true)
  }

  test("1,000 decisions from 20 clients at once: every 200 is charged, nothing else", async () => {
    const { key, chargeMicro } = await prepare("load@example.com")
    const answered = await load(service, key, async () => {})
    expect(answered).toBe(REQUESTS)
    expect(await chargesOf(service, "load@example.com", chargeMicro)).toBe(BigInt(answered + 1))
    await expectSound()
  })

  test("a kill of the server in their midst: a charge without an answer only where the kill cut it off", async () => {
    const { key, chargeMicro } = await prepare("server@example.com")
    const answered = await load(service, key, async () => {
      await service.end("SIGKILL")
      await service.resume()
    })
    expect(answered).toBeLessThan(REQUESTS)
    const charges = Number(await chargesOf(service, "server@example.com", chargeMicro))
    expect(charges).toBeGreaterThanOrEqual(answered + 1)
    expect(charges).toBeLessThanOrEqual(answered + 1 + CLIENTS)
    await expectSound()
  })

  test("a kill of PostgreSQL in their midst: the running server brings it back and no 200 is lost", async () => {
    const { key, chargeMicro } = await prepare("postgres@example.com")
    const answered = await load(service, key, async () => {
      process.kill(await service.postgresPid(), "SIGKILL")
    })
    await expect.poll(async () => (await service.decide(key, ONE_QUESTION)).status, { timeout: 60_000 }).toBe(200)
    const charges = Number(await chargesOf(service, "postgres@example.com", chargeMicro))
    expect(charges).toBeGreaterThanOrEqual(answered + 2)
    expect(charges).toBeLessThanOrEqual(answered + 2 + CLIENTS)
    await service.end("SIGKILL")
    await service.resume()
    await expectSound()
  })
})
