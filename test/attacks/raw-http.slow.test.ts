import fc from "fast-check"
import { expect, test } from "vitest"
import { RawConnection, type RawResponse } from "@/test/raw-http"
import { testScale } from "@/test/scale"
import { testService } from "@/test/service"
import { MALFORMED, TOO_LONG } from "./malformed-http"

const service = await testService()

/** Waits for `count` responses, ends the connection and returns all that came back. */
async function collect(connection: RawConnection, count: number): Promise<RawResponse[]> {
  await connection.awaitResponses(count)
  connection.socket.end()
  await connection.closed
  return connection.responses()
}

async function exchange(text: string, count = 1): Promise<RawResponse[]> {
  const connection = new RawConnection(service.url)
  await connection.write(Buffer.from(text, "latin1"))
  return collect(connection, count)
}

/** Returns the code of a refusal, after checking what each has: the shape, a request id and no internals. */
function codeOf({ status, headers, body }: RawResponse): string {
  const { error } = JSON.parse(body)
  expect(headers).toMatchObject({ "content-type": "application/json", connection: "close" })
  expect(headers["x-request-id"]).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/)
  expect(typeof error.message).toBe("string")
  expect(body).not.toMatch(/\\n\s+at |node:|\.ts|HPE_|FST_/)
  return `${status} ${error.type} ${error.code}`
}

test.each(MALFORMED)("%s is 400, and the connection closes", async (name, text) => {
  const count = name.includes("behind an upgrade") ? 2 : 1
  const answers = await exchange(text, count)
  expect(answers).toHaveLength(count)
  expect(answers.slice(-1).map(codeOf)).toEqual(["400 invalid_request_error invalid_request"])
})

test.each(TOO_LONG)("%s is 413, and the connection closes", async (_name, text) => {
  expect((await exchange(text)).map(codeOf)).toEqual(["413 invalid_request_error request_too_large"])
})

const BODY = '{"a":"\r\n\r\nGET /healthz HTTP/1.1\r\nhost: x\r\n\r\n0\r\n\r\n"}'
const UPGRADE = ["connection: upgrade", "upgrade: h2c"]
const head = (start: string, ...lines: string[]) => [start, "host: x", ...lines, "", ""].join("\r\n")
const POST = "POST /v1/decisions HTTP/1.1"
const LENGTH = `content-length: ${BODY.length}`
const CHUNKS = `3;a=b\r\n${BODY.slice(0, 3)}\r\n${(BODY.length - 3).toString(16)}\r\n${BODY.slice(3)}\r\n0\r\nx-trailer: 1\r\n\r\n`

/** Requests that leave the connection open, with the status of each. */
const OPEN: Record<string, [text: string, status: number]> = {
  get: [head("GET /healthz HTTP/1.1"), 200],
  "get that offers an upgrade": [head("GET /healthz HTTP/1.1", ...UPGRADE), 200],
  "empty line": [`\r\n${head("GET /v1/nothing HTTP/1.1")}`, 404],
  "body of another method": [`${head("POST /v1/models HTTP/1.1", LENGTH)}${BODY}`, 405],
  length: [`${head(POST, LENGTH)}${BODY}`, 401],
  "length that offers an upgrade": [`${head(POST, LENGTH, ...UPGRADE)}${BODY}`, 401],
  chunks: [`${head(POST, "transfer-encoding: chunked")}${CHUNKS}`, 401],
  "chunks that offer an upgrade": [`${head(POST, "transfer-encoding: chunked", ...UPGRADE)}${CHUNKS}`, 401],
}
/** Bytes that close the connection, with the status of each. */
const CLOSING: Record<string, [text: string, status: number]> = {
  close: [head("GET /healthz HTTP/1.1", "connection: close"), 200],
  ...Object.fromEntries(
    // Behind an upgrade, Node hides the error of HTTP/2's preface. The connection then gets 504 after ten seconds.
    MALFORMED.filter(([name]) => !/behind an upgrade|^HTTP\/2$/.test(name)).map(([name, text]) => [name, [text, 400]]),
  ),
}

const connections = fc.record({
  open: fc.array(fc.constantFrom(...Object.keys(OPEN)), { maxLength: 12 }),
  closing: fc.constantFrom(...Object.keys(CLOSING)),
  /** Where the bytes are cut, in parts per million of their length. */
  cuts: fc.array(fc.noBias(fc.nat(1_000_000)), { maxLength: 24 }),
})

const AT_ONCE = 30

test(
  "each request of a connection gets its own response, however the bytes are cut",
  async () => {
    const runs = 10 * testScale
    let requests = 0
    const play = async ({ open, closing, cuts }: { open: string[]; closing: string; cuts: number[] }) => {
      const sent = [...open.map((name) => OPEN[name]), CLOSING[closing]].filter((part) => part !== undefined)
      const bytes = Buffer.from(sent.map(([text]) => text).join(""), "latin1")
      const places = [
        0,
        ...cuts.map((cut) => Math.floor((cut / 1_000_000) * bytes.length)).toSorted((a, b) => a - b),
        bytes.length,
      ]
      const connection = new RawConnection(service.url)
      connection.socket.setNoDelay(true)
      for (const [i, from] of places.entries()) {
        await connection.write(bytes.subarray(from, places[i + 1]))
        await new Promise((resolve) => setImmediate(resolve))
      }
      const answers = await collect(connection, sent.length)
      expect(answers.map(({ status }) => status)).toEqual(sent.map(([, status]) => status))
      requests += sent.length
    }
    await fc.assert(
      fc.asyncProperty(fc.array(connections, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (all) => {
        await Promise.all(all.map(play))
        expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
      }),
      { numRuns: runs, endOnFailure: true },
    )
    expect(requests).toBeGreaterThan(runs * AT_ONCE * 3)
  },
  60_000 * testScale,
)
