import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { type LlamaCppDouble, startLlamaCpp } from "@/test/doubles/llama-cpp"
import { insertFastKey } from "@/test/insert-rows"
import { postHead, RawConnection } from "@/test/raw-http"
import { type TestService, testService } from "@/test/service"
import { BodyBudget } from "./body-budget"

const ANSWER_MS = 1_000
const TOTAL_MS = 3_000
const MIB = 1024 * 1024
const BALANCE = 1_000_000_000_000n
const BODY = JSON.stringify({ model: ALIAS, state: "hi", questions: { q: { type: "noul", instructions: "Is it?" } } })
const bodies = new BodyBudget(30 * MIB)

let service: TestService
let llama: LlamaCppDouble
let key: { accountId: string; token: string }
beforeAll(async () => {
  llama = await startLlamaCpp()
  const deadlines = { answerMs: ANSWER_MS, totalMs: TOTAL_MS }
  service = await testService({ ENGINE_URL: llama.url }, { deadlines, bodies })
})
afterAll(() => llama.stop())
beforeEach(async () => {
  key = await insertFastKey(BALANCE)
})
afterEach(() => {
  llama.fault = null
})

const codeOf = async (response: Response) => ((await response.json()) as { error?: { code: string } }).error?.code

async function money() {
  const { rows } = await service.runtime.pool.query<{ balance: bigint; held: string }>(
    "SELECT balance_pico::text AS balance, held_pico::text AS held FROM account WHERE id = $1",
    [key.accountId],
  )
  return { spent: BALANCE - BigInt(rows[0]?.balance ?? 0), held: rows[0]?.held }
}

/** Takes a database lock and returns a function that releases it. */
async function lock(statement: string, values: unknown[] = []): Promise<() => Promise<void>> {
  const client = await service.runtime.pool.connect()
  await client.query("BEGIN")
  await client.query(statement, values)
  return async () => {
    await client.query("ROLLBACK")
    client.release()
  }
}
const lockAccount = () => lock("SELECT FROM account WHERE id = $1 FOR UPDATE", [key.accountId])

describe("a request that runs out of time is 504 and not charged", () => {
  it("when the engine hangs: its call is aborted and the hold is released", async () => {
    llama.fault = { kind: "slow", ms: 10_000 }
    const { aborted } = llama
    const started = performance.now()
    const response = await service.decide(key.token, BODY)
    expect([response.status, await codeOf(response)]).toEqual([504, "upstream_timeout"])
    expect(response.headers.get("x-ratelimit-used")).toBe("1")
    expect(performance.now() - started).toBeLessThan(ANSWER_MS + 500)
    await expect.poll(() => llama.aborted).toBe(aborted + 1)
    await expect.poll(money).toEqual({ spent: 0n, held: "0" })
  })

  it("when even the log fails", async () => {
    const { log } = service.runtime
    for (const level of ["info", "error"] as const)
      vi.spyOn(log, level).mockImplementation(() => {
        throw new Error("the disk is full")
      })
    llama.fault = { kind: "slow", ms: 10_000 }
    expect((await service.decide(key.token, BODY)).status).toBe(504)
    vi.restoreAllMocks()
    await expect.poll(money).toEqual({ spent: 0n, held: "0" })
  })

  it("when the upload is slow, while it is still being sent", async () => {
    const connection = new RawConnection(service.url)
    await connection.write(postHead({ authorization: `Bearer ${key.token}`, "content-length": BODY.length }))
    const trickle = setInterval(() => connection.socket.write(" "), 100)
    const [answer] = await connection.awaitResponses()
    expect([answer?.status, answer?.headers.connection]).toEqual([504, "close"])
    await connection.closed
    clearInterval(trickle)
    expect(bodies.used).toBe(0)
  })

  it("when a chunked upload is slow: the request is counted", async () => {
    const connection = new RawConnection(service.url)
    const head = postHead({ authorization: `Bearer ${key.token}`, "transfer-encoding": "chunked" })
    await connection.write(head)
    const trickle = setInterval(() => connection.socket.write("1\r\n \r\n"), 100)
    const [answer] = await connection.awaitResponses()
    clearInterval(trickle)
    expect([answer?.status, answer?.headers["x-ratelimit-used"]]).toEqual([504, "1"])
    connection.socket.destroy()
  })

  it("when it waits behind others of its connection, and not later than they", async () => {
    llama.fault = { kind: "slow", ms: 10_000 }
    const connection = new RawConnection(service.url)
    const head = postHead({ authorization: `Bearer ${key.token}`, "content-length": BODY.length })
    const started = performance.now()
    await connection.write(`${head}${BODY}`.repeat(6))
    const answers = await connection.awaitResponses(6)
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(504))
    expect(performance.now() - started).toBeLessThan(2 * ANSWER_MS)
    connection.socket.destroy()
  })

  it("when a chunked upload with a bad key is slow", async () => {
    const connection = new RawConnection(service.url)
    await connection.write(postHead({ "transfer-encoding": "chunked" }))
    const trickle = setInterval(() => connection.socket.write("1\r\n \r\n"), 100)
    const [answer] = await connection.awaitResponses()
    clearInterval(trickle)
    expect([answer?.status, answer?.headers["x-ratelimit-limit"]]).toEqual([504, undefined])
    connection.socket.destroy()
  })

  it("when its body waits for room, and it leaves its place", async () => {
    const reservation = bodies.reservation()
    await reservation.reserve(30 * MIB, new AbortController().signal)
    const response = await service.decide(key.token, `${BODY}${" ".repeat(MIB)}`)
    expect([response.status, await codeOf(response)]).toEqual([504, "upstream_timeout"])
    expect(bodies.waiting).toBe(0)
    reservation.release()
    expect(bodies.used).toBe(0)
  })

  it("when the key cannot be looked up", async () => {
    const release = await lock("LOCK TABLE api_key IN ACCESS EXCLUSIVE MODE")
    const response = await service.decide(key.token, BODY)
    expect([response.status, response.headers.get("x-ratelimit-limit")]).toEqual([504, null])
    await release()
    expect((await service.decide(key.token, BODY)).status).toBe(200)
  })

  it("when its hold cannot be placed in time: a hold placed later is released", async () => {
    const release = await lockAccount()
    const response = await service.decide(key.token, BODY)
    expect(response.status).toBe(504)
    await release()
    const holds = () =>
      service.runtime.pool
        .query("SELECT state FROM hold WHERE account_id = $1", [key.accountId])
        .then(({ rows }) => rows)
    await expect.poll(holds).toEqual([{ state: "voided" }])
    expect(await money()).toEqual({ spent: 0n, held: "0" })
  })
})

describe("a client that leaves while the engine works", () => {
  it.each(["closes", "resets"])(
    "and %s its connection: the call is aborted, the hold released, nothing charged",
    async (how) => {
      llama.fault = { kind: "slow", ms: 10_000 }
      const { aborted } = llama
      const connection = new RawConnection(service.url)
      const head = postHead({ authorization: `Bearer ${key.token}`, "content-length": BODY.length })
      await connection.write(`${head}${BODY}`)
      await expect.poll(() => llama.working).toBe(1)
      const left = performance.now()
      if (how === "closes") connection.socket.destroy()
      else connection.socket.resetAndDestroy()
      await expect.poll(() => llama.aborted).toBe(aborted + 1)
      expect(performance.now() - left).toBeLessThan(ANSWER_MS / 2)
      await expect.poll(money).toEqual({ spent: 0n, held: "0" })
      expect(service.inFlight.count).toBe(0)
    },
  )
})

describe("a request whose charge has started", () => {
  /** Sends a request and locks its account once the engine works on it, so that its capture has to wait. */
  async function sendAndLock() {
    llama.fault = { kind: "slow", ms: 300 }
    const connection = new RawConnection(service.url)
    const head = postHead({ authorization: `Bearer ${key.token}`, "content-length": BODY.length })
    await connection.write(`${head}${BODY}`)
    await expect.poll(() => llama.working).toBe(1)
    return { connection, release: await lockAccount() }
  }

  it("is not answered 504 at its deadline, because only the charge decides the outcome", async () => {
    const { connection, release } = await sendAndLock()
    await sleep(ANSWER_MS + 200)
    expect(connection.responses()).toEqual([])
    await release()
    expect((await connection.awaitResponses())[0]?.status).toBe(200)
    connection.socket.destroy()
    expect(await money()).toMatchObject({ held: "0" })
    expect((await money()).spent).toBeGreaterThan(0n)
  })

  it("is cut off without a response after the total time", async () => {
    const started = performance.now()
    const { connection, release } = await sendAndLock()
    await connection.closed
    expect(connection.responses()).toEqual([])
    expect(performance.now() - started).toBeLessThan(TOTAL_MS + 1_000)
    await release()
    await expect.poll(async () => (await money()).held).toBe("0")
  })
})

describe("nothing is held open beyond the total", () => {
  it("for a client that never reads its responses", async () => {
    const connection = new RawConnection(service.url)
    connection.socket.pause()
    const asked = 500
    connection.socket.write("GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n".repeat(asked))
    await sleep(TOTAL_MS + 1_500)
    connection.socket.resume()
    await connection.closed
    expect(connection.responses().length).toBeLessThan(asked)
  })

  it("for a client that keeps sending after its response", async () => {
    const connection = new RawConnection(service.url)
    const started = performance.now()
    await connection.write(postHead({ "content-length": 60 * MIB }))
    const trickle = setInterval(() => connection.socket.write(" "), 100)
    await connection.closed
    clearInterval(trickle)
    expect(connection.responses().map(({ status }) => status)).toEqual([413])
    expect(performance.now() - started).toBeLessThan(TOTAL_MS + 1_000)
  })
})
