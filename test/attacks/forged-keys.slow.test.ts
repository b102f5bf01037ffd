import { beforeAll, describe, expect, it, vi } from "vitest"
import { createAccountToken } from "@/lib/server/accounts/account-tokens"
import { verifyAccountToken } from "@/lib/server/accounts/verify-account-token"
import { actorOfCookies, hasSession } from "@/lib/server/auth/actor-of-cookies"
import { newSessionToken } from "@/lib/server/auth/session-cookie"
import { newSecret } from "@/lib/server/keys/secret"
import { verifyKey } from "@/lib/server/keys/verify-key"
import type { LogFields } from "@/lib/server/platform/log"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { insertAccount, insertKey, insertSession } from "../insert-rows"
import { type TestService, testService } from "../service"
import { signUp } from "../sign-up"

const BODY = { model: ALIAS, state: "Where is it?", questions: { q: { type: "noul", instructions: "Late?" } } }
const ATTACKER = "198.51.100.1"

let service: TestService
beforeAll(async () => {
  service = await testService({ TRUSTED_PROXY_HOPS: "1", METRICS_TOKEN: "scraper" })
})

/** Returns how many of an attacker's 2,000 look-ups end before one that another client sends after them. */
async function endedBefore(forged: () => Promise<unknown>, first: () => Promise<unknown>): Promise<number> {
  // On a busy machine, many look-ups end while one opens a connection or plans the statement.
  await Promise.all(Array.from({ length: 4 }, () => runtime().pool.query("SELECT pg_sleep(0.05)")))
  await Promise.all(Array.from({ length: 8 }, () => forged().catch(() => null)))
  let ended = 0
  const attack = Array.from({ length: 2_000 }, () =>
    forged()
      .catch(() => null)
      .then((found) => {
        if (!found) ended++
      }),
  )
  await first()
  const before = ended
  await Promise.all(attack)
  expect(ended).toBe(2_000)
  return before
}

describe("2,000 forged secrets of one client, each with the right checksum,", () => {
  it("do not delay another client's first use of a key", async () => {
    const { token, keyId } = await insertKey((await insertAccount()).accountId)
    const before = await endedBefore(
      () => verifyKey(runtime(), `Bearer ${newSecret("svcd_").token}`, () => ATTACKER),
      async () => expect(await verifyKey(runtime(), `Bearer ${token}`, () => "203.0.113.1")).toMatchObject({ keyId }),
    )
    expect(before).toBeLessThan(20)
  })

  it("do not delay it either when each comes from another client of one network", async () => {
    for (const clientOf of [(n: number) => `2001:db8:1:${n.toString(16)}`, (n: number) => `198.51.100.${n % 256}`]) {
      const { token, keyId } = await insertKey((await insertAccount()).accountId)
      let sent = 0
      const before = await endedBefore(
        () => verifyKey(runtime(), `Bearer ${newSecret("svcd_").token}`, () => clientOf(sent++)),
        async () => expect(await verifyKey(runtime(), `Bearer ${token}`, () => "203.0.113.1")).toMatchObject({ keyId }),
      )
      expect(before).toBeLessThan(20)
    }
  })

  it("do not delay another client's use of an account token", async () => {
    const owner = await signUp()
    const { token } = await createAccountToken(runtime(), owner, { name: "CI", expiresAt: null })
    const before = await endedBefore(
      () => verifyAccountToken(runtime(), `Bearer ${newSecret("svct_").token}`, ATTACKER),
      async () =>
        expect(await verifyAccountToken(runtime(), `Bearer ${token}`, "203.0.113.1")).toMatchObject({
          accountId: owner.accountId,
        }),
    )
    expect(before).toBeLessThan(20)
  })
})

describe("2,000 forged session cookies of one IPv6 /64", () => {
  let last = 0
  const attacker = () => `2001:db8::${(++last).toString(16)}`
  const forged = () => `svcd-session=${newSessionToken()}`

  it("do not delay another client's page or run in the playground", async () => {
    const { accountId } = await insertAccount()
    const cookie = await insertSession(accountId)
    const before = await endedBefore(
      () => actorOfCookies(runtime(), forged(), attacker()),
      async () => expect(await actorOfCookies(runtime(), cookie, "2001:db8:0:1::1")).toMatchObject({ accountId }),
    )
    expect(before).toBeLessThan(20)
  })

  it("do not delay another client's large action", async () => {
    const cookie = await insertSession((await insertAccount()).accountId)
    const before = await endedBefore(
      () => hasSession(runtime(), forged(), attacker()),
      async () => expect(await hasSession(runtime(), cookie, "2001:db8:0:1::1")).toBe(true),
    )
    expect(before).toBeLessThan(20)
  })
})

const refused = async () => {
  const text = await (await fetch(`${service.url}/metrics`, { headers: { authorization: "Bearer scraper" } })).text()
  return Number(
    /svc_requests_total\{route="\/v1\/decisions",status="401",code="invalid_api_key"\} (\d+)/.exec(text)?.[1],
  )
}

it("every forged key is answered 401 to the letter and counted, and one client's cause ten log lines and their number", async () => {
  const lines: LogFields[] = []
  for (const level of ["info", "warn"] as const)
    vi.spyOn(runtime().log, level).mockImplementation((_message, fields = {}) => void lines.push(fields))
  const before = (await refused()) || 0
  const send = async (client: string) => {
    const response = await service.decide(newSecret("svcd_").token, BODY, { "x-forwarded-for": client })
    const { error } = (await response.json()) as { error: { code: string; message: string } }
    return [response.status, response.headers.has("x-ratelimit-limit"), error.code, error.message]
  }
  const answers = [
    ...(await Promise.all(Array.from({ length: 60 }, () => send(ATTACKER)))),
    ...(await Promise.all(Array.from({ length: 3 }, () => send("203.0.113.1")))),
  ]
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
    new Set(['[401,false,"invalid_api_key","The API key is missing, invalid, expired or revoked."]']),
  )
  expect(await refused()).toBe(before + 63)
  expect(lines.filter(({ code }) => code === "invalid_api_key")).toHaveLength(13)
  runtime().refusals.flush(runtime())
  expect(lines.slice(13)).toEqual([
    { event: "credentials.refused", status: 401, count: 50, clientHash: expect.stringMatching(/^[\w-]{16}$/) },
  ])
  runtime().refusals.flush(runtime())
  expect(lines).toHaveLength(14)
  vi.restoreAllMocks()
})
