import { setTimeout as sleep } from "node:timers/promises"
import { ONE_QUESTION, THREE_QUESTIONS } from "./requests"
import type { Service } from "./service"
import { expect } from "./test"

const PRICE_PICO = 731_000n

export interface Done {
  id: string
  status: number
  costPico: bigint
}

/** An account with two keys, four answers, of which the last has the tag `team=search`, and two errors. Tests only read it. */
export interface Spent {
  email: string
  answered: Done[]
  refused: Done[]
}

async function decide(service: Service, key: string, body: unknown, headers?: Record<string, string>): Promise<Done> {
  const response = await service.decide(key, body, headers)
  const { usage } = (await response.json()) as { usage?: { input_tokens: number } }
  const id = response.headers.get("x-request-id") ?? ""
  return { id, status: response.status, costPico: BigInt(usage?.input_tokens ?? 0) * PRICE_PICO }
}

/** Creates an account that has spent, and waits until its usage page counts all requests. */
export async function spend(service: Service, email: string): Promise<Spent> {
  // A test expects all requests in the hour and the day in which it opens the page.
  const untilNextHourMs = 3_600_000 - (Date.now() % 3_600_000)
  if (untilNextHourMs < 45_000) await sleep(untilNextHourMs)
  const { key } = await service.createAccountWithKey(email, { balanceUsd: "10" })
  const limit = ["--limit-usd", "0.000001", "--period", "daily"]
  const limited = await service.operator<{ key: string }>("key", "create", email, "--name", "Staging", ...limit)
  const answered: Done[] = []
  for (let i = 0; i < 3; i++) answered.push(await decide(service, key, THREE_QUESTIONS))
  answered.push(await decide(service, key, ONE_QUESTION, { "x-svc-tag": "team=search" }))
  const refused = [
    await decide(service, key, { ...ONE_QUESTION, model: "none" }),
    await decide(service, limited.key, ONE_QUESTION),
  ]
  expect([...answered, ...refused].map(({ status }) => status)).toEqual([200, 200, 200, 200, 400, 402])
  const cookie = `svcd-session=${await service.createSession(email)}`
  const usage = async () => (await fetch(`${service.url}/usage`, { headers: { cookie } })).text()
  await expect.poll(usage).toContain("2 (33.3%)")
  return { email, answered, refused }
}
