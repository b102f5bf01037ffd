import { readFileSync } from "node:fs"
import { Readable, type Transform } from "node:stream"
import { setTimeout as sleep } from "node:timers/promises"
import { constants, createBrotliCompress, createDeflate } from "node:zlib"
import { beforeAll, describe, expect, test } from "vitest"
import { openCatalogue } from "@/lib/server/models/seed-models"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { afterFile } from "../after-file"
import { testRuntime } from "../database"
import { ENCODERS } from "../encode-body"
import { printFigure } from "../figures"
import { insertFastKey } from "../insert-rows"
import { postHead, RawConnection } from "../raw-http"
import { sendDecision } from "../send-decision"
import { type ServerProcess, startServer } from "../server-process"
import { LIMIT, padded, summary } from "../uploads"

const MIB = 1024 * 1024
const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

let server: ServerProcess
let token: string
beforeAll(async () => {
  const { databaseUrl } = await testRuntime()
  await openCatalogue(runtime())
  await runtime().pool.query("UPDATE model SET max_questions = 128")
  token = (await insertFastKey(10n ** 15n)).token
  server = await startServer(databaseUrl)
  afterFile(async () => {
    server.signal("SIGTERM")
    await server.ended
  })
})

/** Asks `/healthz` until `work` ends. Returns the 95th percentile of the times, in ms. Each answer must be 200. */
async function probeDuring(work: Promise<unknown>): Promise<number> {
  const times: number[] = []
  let isOver = false
  const ended = Promise.allSettled([work]).then(() => {
    isOver = true
  })
  while (!isOver || times.length < 20) {
    const from = performance.now()
    const response = await fetch(`${server.url}/healthz`)
    await response.text()
    expect(response.status).toBe(200)
    times.push(performance.now() - from)
    await sleep(20)
  }
  await Promise.all([ended, work])
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN
}

/** Runs an attack. The 95th percentile of `/healthz` may be 10 times that of a quiet time, and 2 s more. */
async function attack(name: string, work: () => Promise<unknown>): Promise<void> {
  const quiet = await probeDuring(sleep(500))
  const attacked = await probeDuring(work())
  printFigure(`/healthz beside ${name}`, { quiet, attacked })
  expect(attacked).toBeLessThan(10 * quiet + 2_000)
}

const times = <Result>(count: number, work: (n: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))

/** Returns the status, the error's code or `ok`, and the error's `param`. */
const codeOf = async (answering: Promise<Response>): Promise<string> => {
  const response = await answering
  const { error } = (await response.json()) as { error?: { code: string; param?: string } }
  return [response.status, error?.code ?? "ok", ...(error?.param ? [error.param] : [])].join(" ")
}

/** Returns the most memory that the service has had so far, in bytes. */
const peakMemory = () =>
  1024 * Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1])

const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
  codeOf(sendDecision(server.url, token, body as string, headers))

const PIECE = Buffer.alloc(16 * MIB)
const PIECES = Array<Buffer>(64).fill(PIECE)
/** 1 GiB as 64 frames or members, which zstd and gzip allow. */
const repeated = (encode: (body: Buffer) => Buffer) => Buffer.concat(Array<Buffer>(64).fill(encode(PIECE)))
/** 1 GiB as one stream. */
const streamed = async (encoder: Transform) => Buffer.concat(await Readable.from(PIECES).pipe(encoder).toArray())

/** Bodies of 1 GiB once they are decoded, and what the service answers. */
const BOMBS: [encoding: string, body: () => Buffer | Promise<Buffer>, answer: string][] = [
  ["zstd", () => repeated(ENCODERS.zstd), "413 request_too_large body"],
  ["gzip", () => repeated(ENCODERS.gzip), "413 request_too_large body"],
  ["deflate", () => streamed(createDeflate()), "413 request_too_large body"],
  ["br", () => streamed(createBrotliCompress(FAST)), "413 request_too_large body"],
  ["gzip, gzip", () => ENCODERS.gzip(repeated(ENCODERS.gzip)), "400 invalid_request body"],
  ["x-gzip", () => repeated(ENCODERS.gzip), "400 invalid_request body"],
]

test.each(BOMBS)(
  "bodies with Content-Encoding %s that expand to 1 GiB are refused and not expanded",
  async (...bomb) => {
    const [encoding, make, answer] = bomb
    const body = await make()
    const before = peakMemory()
    const from = performance.now()
    await attack(`bombs of ${encoding}`, async () => {
      const answers = await times(16, () => post(body, { "content-encoding": encoding }))
      expect(answers).toEqual(Array(16).fill(answer))
    })
    const [ms, mib] = [performance.now() - from, (peakMemory() - before) / MIB]
    printFigure(`16 bombs of ${encoding}`, { encodedKiB: body.length / 1024, ms, peakMiB: mib, answer })
    expect(mib).toBeLessThan(512)
  },
)

const question = (criteria: object) => ({ instructions: "?", ...criteria })
const request = (questions: object, state: unknown = "x") => JSON.stringify({ model: ALIAS, state, questions })
const named = (count: number, length: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${n}`.padStart(length, "n"), value]))
const choice = (options: number) => question({ type: "choice", criteria: named(options, 128, null) })
const score = (levels: number) => question({ type: "score", criteria: Array(levels).fill("l") })
const ONE = { q: question({ type: "noul" }) }
const raw = (state: string) => request(ONE, 0).replace('"state":0', `"state":${state}`)

/** Bodies at each limit and one past it, and bodies that cost a parser much. */
const PAYLOADS: [name: string, body: () => string | Buffer, answer: string][] = [
  ["28 MiB", () => padded(LIMIT), "200 ok"],
  ["28 MiB and a byte", () => padded(LIMIT + 1), "413 request_too_large body"],
  ["128 questions", () => request(named(128, 64, choice(2))), "200 ok"],
  ["129 questions", () => request(named(129, 64, choice(2))), "400 invalid_request questions"],
  ["128 questions of 255 options", () => request(named(128, 64, choice(255))), "200 ok"],
  ["256 options", () => request({ q: choice(256) }), "400 invalid_request questions.q.criteria"],
  ["128 questions of 10 levels", () => request(named(128, 64, score(10))), "200 ok"],
  ["11 levels", () => request({ q: score(11) }), "400 invalid_request questions.q.criteria"],
  ["10,000,000 open arrays", () => raw("[".repeat(10_000_000)), "400 invalid_request body"],
  ["10,000,000 nested arrays", () => raw("[".repeat(10_000_000) + "]".repeat(10_000_000)), "400 invalid_request body"],
  ["4,000,000 equal names", () => raw(`{${'"a":1,'.repeat(4_000_000)}"a":1}`), "400 invalid_request state"],
  ["a number of 28,000,000 digits", () => raw(`[${"9".repeat(28_000_000)}]`), "400 invalid_request"],
  ["4,000,000 escapes", () => raw(`"${"\\u0000".repeat(4_000_000)}"`), "400 invalid_request"],
  ["28,000,000 letters", () => raw(`"${"x".repeat(28_000_000)}"`), "400 invalid_request"],
  ["260,000 letters", () => raw(`"${"x".repeat(260_000)}"`), "200 ok"],
]

describe("a body of", () => {
  test.each(PAYLOADS)("%s, sent four times at once, does not delay the health check", async (name, body, answer) => {
    const bytes = Buffer.from(body())
    await attack(name, async () => expect(await times(4, () => post(bytes))).toEqual(Array(4).fill(answer)))
  })
})

const MOST_QUEUED = Number(readFileSync("/proc/sys/net/core/somaxconn", "utf8"))

const connect = async (n: number, text: string) => {
  const connection = new RawConnection(server.url)
  await connection.write(text)
  return { n, connection }
}

test("header floods are refused", async () => {
  const most = ["GET /healthz HTTP/1.1", "host: x", ...Array<string>(199).fill("a: b"), "", ""].join("\r\n")
  const floods: [text: string, answers: string[]][] = [
    [most.repeat(20), Array(20).fill("200 ok")],
    [most.replace("a: b", "a: b\r\na: b"), ["400 invalid_request"]],
    [`GET / HTTP/1.1\r\nhost: x\r\n${"a:b\r\n".repeat(200_000)}`, ["400 invalid_request"]],
    [`GET / HTTP/1.1\r\nhost: x\r\na: ${"b".repeat(MIB)}`, ["400 invalid_request"]],
    [`GET /${"b".repeat(MIB)} HTTP/1.1\r\nhost: x\r\n\r\n`, ["400 invalid_request"]],
  ]
  await attack("header floods", async () => {
    for (const [text, answers] of floods)
      await times(50, async (n) => {
        const { connection } = await connect(n, text)
        expect((await connection.awaitResponses(answers.length)).map(summary)).toEqual(answers)
        connection.socket.destroy()
      })
  })
})

test("2,000 connections that send nothing, or slowly, are closed within a minute", async () => {
  const starts = ["", "\r\n", "GET /healthz HT", "GET /healthz HTTP/1.1\r\nhost: x\r\n"]
  await attack("2,000 connections", async () => {
    const opened: Awaited<ReturnType<typeof connect>>[] = []
    // A full queue of the kernel passes a connection on only seconds after its client sees it open.
    const atOnce = Math.min(2_000, 4 * Math.floor(MOST_QUEUED / 4))
    for (let from = 0; from < 2_000; from += atOnce) {
      opened.push(...(await times(atOnce, (n) => connect(from + n, starts[n % 4] ?? ""))))
      await (await fetch(`${server.url}/healthz`)).text()
    }
    const slow = setInterval(() => {
      for (const { n, connection } of opened) if (n % 4 === 3) connection.socket.write("a")
    }, 1_000)
    const closed = Promise.all(opened.map(({ connection }) => connection.closed)).then(() => "closed")
    // Their heads have 10 s. Without that limit they would stay open for the two minutes of a whole request.
    expect(await Promise.race([closed, sleep(60_000, "open")])).toBe("closed")
    clearInterval(slow)
    const answers = opened.map(({ n, connection }) => `${n % 4} ${connection.responses().map(summary)}`)
    expect(new Set(answers)).toEqual(
      new Set(["0 ", "1 504 upstream_timeout", "2 504 upstream_timeout", "3 504 upstream_timeout"]),
    )
  })
})

test("500 bodies that are sent a byte a second leave room for others", async () => {
  await attack("slow bodies", async () => {
    const head = postHead({ authorization: `Bearer ${token}`, "content-length": 60_000 })
    const opened = await times(500, (n) => connect(n, `${head}{`))
    const slow = setInterval(() => {
      for (const { connection } of opened) connection.socket.write(" ")
    }, 1_000)
    for (const until = Date.now() + 3_000; Date.now() < until; ) expect(await post(request(ONE))).toBe("200 ok")
    clearInterval(slow)
    const ended = opened.filter(({ connection }) => connection.received || connection.socket.destroyed)
    expect(ended).toHaveLength(0)
    for (const { connection } of opened) connection.socket.destroy()
  })
})
