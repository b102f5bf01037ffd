import { setTimeout as sleep } from "node:timers/promises"
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { startLlamaCpp } from "@/test/doubles/llama-cpp"
import { insertFastKey } from "@/test/insert-rows"
import { moneyOf } from "@/test/ledger-state"
import { postHead, RawConnection } from "@/test/raw-http"
import { gate } from "@/test/scripted-engine"
import { testService } from "@/test/service"
import { ANSWER_MS, DEADLINES, holdLimits, runOut, TOTAL_MS } from "@/test/time-limits"
import { waitsForLock } from "@/test/waits-for-lock"
import { BodyBudget } from "./body-budget"

const MIB = 1024 * 1024
const BALANCE = 1_000_000_000_000n
const BODY = JSON.stringify({ model: ALIAS, state: "hi", questions: { q: { type: "noul", instructions: "Is it?" } } })
const bodies = new BodyBudget(30 * MIB)

const llama = await startLlamaCpp()
const service = await testService({ ENGINE_URL: llama.url }, { deadlines: DEADLINES, bodies })
let key: { accountId: string; token: string }
beforeEach(async () => {
  key = await insertFastKey(BALANCE)
  holdLimits()
})
afterEach(() => {
  llama.fault = null
  vi.restoreAllMocks()
})

/** Sends a request and lets its time for an answer run out once it waits. */
async function hang(isWaiting: () => Promise<void>): Promise<Response> {
  const answering = service.decide(key.token, BODY)
  await isWaiting()
  await runOut(ANSWER_MS)
  return answering
}

function hangInEngine(): Promise<Response> {
  llama.fault = { kind: "slow", ms: 120_000 }
  return hang(() => expect.poll(() => llama.working).toBe(1))
}

const whole = () => `${postHead({ authorization: `Bearer ${key.token}`, "content-length": BODY.length })}${BODY}`
const codeOf = async (response: Response) => ((await response.json()) as { error?: { code: string } }).error?.code

async function money() {
  const { balance, held } = await moneyOf(key.accountId)
  return { spent: BALANCE - balance, held }
}

/** Sends a piece every 100 ms until the test ends. */
function trickle({ socket }: RawConnection, piece: string): void {
  const timer = setInterval(() => socket.write(piece), 100)
  onTestFinished(() => {
    clearInterval(timer)
    socket.destroy()
  })
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
    const { aborted } = llama
    const response = await hangInEngine()
    expect([response.status, await codeOf(response)]).toEqual([504, "upstream_timeout"])
    expect(response.headers.get("x-ratelimit-used")).toBe("1")
    await expect.poll(() => llama.aborted).toBe(aborted + 1)
    await expect.poll(money).toEqual({ spent: 0n, held: 0n })
  })

  it("when even the log fails", async () => {
    const { log } = service.runtime
    const fail = () => {
      throw new Error("the disk is full")
    }
    const mocks = (["info", "error"] as const).map((level) => vi.spyOn(log, level).mockImplementation(fail))
    expect((await hangInEngine()).status).toBe(504)
    for (const mock of mocks) mock.mockRestore()
    await expect.poll(money).toEqual({ spent: 0n, held: 0n })
  })

  it("when the upload is slow, while it is still being sent", async () => {
    const connection = new RawConnection(service.url)
    await connection.write(postHead({ authorization: `Bearer ${key.token}`, "content-length": 10_000 }))
    trickle(connection, " ")
    await runOut(ANSWER_MS)
    const [answer] = await connection.awaitResponses()
    expect([answer?.status, answer?.headers.connection]).toEqual([504, "close"])
    await runOut(TOTAL_MS)
    await connection.closed
    expect(bodies.used).toBe(0)
  })

  it("when a chunked upload is slow: the request is counted", async () => {
    const connection = new RawConnection(service.url)
    const timed = vi.spyOn(service.runtime.metrics, "timed")
    await connection.write(postHead({ authorization: `Bearer ${key.token}`, "transfer-encoding": "chunked" }))
    trickle(connection, "1\r\n \r\n")
    await expect.poll(() => timed.mock.calls.map(([name]) => name)).toContain("read")
    await runOut(ANSWER_MS)
    const [answer] = await connection.awaitResponses()
    expect([answer?.status, answer?.headers["x-ratelimit-used"]]).toEqual([504, "1"])
  })

  it("when it waits behind others of its connection, and not later than they", async () => {
    llama.fault = { kind: "slow", ms: 120_000 }
    const connection = new RawConnection(service.url)
    await connection.write(whole().repeat(6))
    // Four are worked on. The two behind them have waited for all of their time when those end.
    await expect.poll(() => llama.working).toBe(4)
    const now = performance.now.bind(performance)
    vi.spyOn(performance, "now").mockImplementation(() => now() + ANSWER_MS)
    await runOut(ANSWER_MS, 4)
    const answers = await connection.awaitResponses(6)
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(504))
    connection.socket.destroy()
  })

  it("when a chunked upload with a bad key is slow", async () => {
    const connection = new RawConnection(service.url)
    await connection.write(postHead({ "transfer-encoding": "chunked" }))
    trickle(connection, "1\r\n \r\n")
    await runOut(ANSWER_MS)
    const [answer] = await connection.awaitResponses()
    expect([answer?.status, answer?.headers["x-ratelimit-limit"]]).toEqual([504, undefined])
  })

  it("when its body waits for room, and it leaves its place", async () => {
    const reservation = bodies.reservation()
    await reservation.reserve(30 * MIB, new AbortController().signal)
    const answering = service.decide(key.token, `${BODY}${" ".repeat(MIB)}`)
    await expect.poll(() => bodies.waiting).toBe(1)
    await runOut(ANSWER_MS)
    const response = await answering
    expect([response.status, await codeOf(response)]).toEqual([504, "upstream_timeout"])
    expect(bodies.waiting).toBe(0)
    reservation.release()
    expect(bodies.used).toBe(0)
  })

  it("when the key cannot be looked up", async () => {
    const release = await lock("LOCK TABLE api_key IN ACCESS EXCLUSIVE MODE")
    const response = await hang(waitsForLock)
    expect([response.status, response.headers.get("x-ratelimit-limit")]).toEqual([504, null])
    await release()
    expect((await service.decide(key.token, BODY)).status).toBe(200)
  })

  it("when its hold cannot be placed in time: a hold placed later is released", async () => {
    const release = await lockAccount()
    expect((await hang(waitsForLock)).status).toBe(504)
    await release()
    const text = "SELECT state FROM hold WHERE account_id = $1"
    const holds = async () => (await service.runtime.pool.query(text, [key.accountId])).rows
    await expect.poll(holds).toEqual([{ state: "voided" }])
    expect(await money()).toEqual({ spent: 0n, held: 0n })
  })
})

describe("a client that leaves while the engine works", () => {
  it.each(["closes", "resets"])(
    "and %s its connection: the call is aborted, the hold released, nothing charged",
    async (how) => {
      llama.fault = { kind: "slow", ms: 120_000 }
      const { aborted } = llama
      const connection = new RawConnection(service.url)
      await connection.write(whole())
      await expect.poll(() => llama.working).toBe(1)
      if (how === "closes") connection.socket.destroy()
      else connection.socket.resetAndDestroy()
      await expect.poll(() => llama.aborted).toBe(aborted + 1)
      await expect.poll(money).toEqual({ spent: 0n, held: 0n })
      await expect.poll(() => service.inFlight.count).toBe(0)
    },
  )
})

describe("a request whose charge has started", () => {
  /** Sends a request and locks its account once the engine works on it, so that its capture has to wait. */
  async function sendAndLock() {
    const { wait, open } = gate()
    vi.spyOn(llama.slots, "run").mockImplementationOnce(wait)
    const connection = new RawConnection(service.url)
    await connection.write(whole())
    await expect.poll(() => llama.working).toBe(1)
    const release = await lockAccount()
    open()
    await waitsForLock()
    return { connection, release }
  }

  it("is not answered 504 at its deadline, because only the charge decides the outcome", async () => {
    const { connection, release } = await sendAndLock()
    await runOut(ANSWER_MS)
    await sleep(200)
    expect(connection.responses()).toEqual([])
    await release()
    expect((await connection.awaitResponses())[0]?.status).toBe(200)
    connection.socket.destroy()
    expect(await money()).toMatchObject({ held: 0n })
    expect((await money()).spent).toBeGreaterThan(0n)
  })

  it("is cut off without a response after the total time", async () => {
    const { connection, release } = await sendAndLock()
    await runOut(TOTAL_MS)
    await connection.closed
    expect(connection.responses()).toEqual([])
    await release()
    await expect.poll(async () => (await money()).held).toBe(0n)
  })
})

describe("nothing is held open beyond the total", () => {
  it("for a client that never reads its responses", async () => {
    const connection = new RawConnection(service.url)
    connection.socket.pause()
    connection.socket.write("GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n".repeat(500))
    await runOut(TOTAL_MS)
    connection.socket.resume()
    await connection.closed
    expect(connection.responses().length).toBeLessThan(500)
  })

  it("for a client that keeps sending after its response", async () => {
    const connection = new RawConnection(service.url)
    await connection.write(postHead({ "content-length": 60 * MIB }))
    trickle(connection, " ")
    await connection.awaitResponses()
    await runOut(TOTAL_MS)
    await connection.closed
    expect(connection.responses().map(({ status }) => status)).toEqual([413])
  })
})
