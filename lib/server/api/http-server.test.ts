import { METHODS } from "node:http"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { insertFastKey } from "@/test/insert-rows"
import { moneyOf } from "@/test/ledger-state"
import { exchange, postHead, RawConnection, type RawResponse } from "@/test/raw-http"
import { gate, scriptedEngine } from "@/test/scripted-engine"
import { testService } from "@/test/service"

const service = await testService()
const authorization = `Bearer ${(await insertFastKey()).token}`

const BODY = JSON.stringify({ model: ALIAS, state: "hi", questions: { q: { type: "noul", instructions: "Is it?" } } })

const send = (text: string): Promise<RawResponse> => exchange(service.url, Buffer.from(text, "latin1"))

/** Returns the error code, after checking what every refusal has: the shape, a request id, and no internals. */
function codeOf({ status, headers, body }: RawResponse): string {
  const { error } = JSON.parse(body)
  expect(headers["content-type"]).toBe("application/json")
  expect(headers["x-request-id"]).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/)
  expect(typeof error.message).toBe("string")
  expect(body).not.toMatch(/\\n\s+at |node:|\.ts|HPE_|FST_/)
  return `${status} ${error.type} ${error.code}`
}

const MALFORMED = "400 invalid_request_error invalid_request"

describe("an unknown path or method", () => {
  it.each([
    ["/v1/decisions", "POST"],
    ["/v1/models", "GET, HEAD"],
  ])("at %s every method but %s is 405", async (path, allowed) => {
    for (const method of METHODS.filter((name) => !`${allowed}, CONNECT, HEAD`.split(", ").includes(name))) {
      const answer = await send(`${method} ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
      expect([method, codeOf(answer)]).toEqual([method, "405 invalid_request_error method_not_allowed"])
      expect(answer.headers.allow).toBe(allowed)
    }
  })

  it.each(["/v1/models", "/healthz", "/readyz", "/status.json", "/openapi.json"])(
    "a HEAD of %s gets the head of its GET and no body",
    async (path) => {
      const request = (method: string) => `${method} ${path} HTTP/1.1\r\nhost: x\r\n\r\n`
      const connection = new RawConnection(service.url)
      // A body would be read as the beginning of the next response.
      await connection.write(`${request("HEAD")}HEAD / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
      await connection.closed
      const statuses = [...connection.received.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status))
      const { status, headers } = await send(request("GET"))
      expect(statuses).toEqual([status, 404])
      expect(status).toBe(200)
      expect(connection.received).toContain(`content-type: ${headers["content-type"]}\r\n`)
    },
  )

  it("a HEAD of a route without GET gets the head of its 405 and no body", async () => {
    const connection = new RawConnection(service.url)
    await connection.write("HEAD /v1/decisions HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
    await connection.closed
    expect(connection.responses()).toMatchObject([{ status: 405, headers: { allow: "POST" }, body: "" }])
  })

  it.each(["/v1/%zz", "/v1/decisions%ff", "//v1/models", `/v1/${"a".repeat(12_000)}`, "/v1/decisions/", "/V1/models"])(
    "the path %.20s is 404",
    async (path) => {
      const answer = await send(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
      expect(codeOf(answer)).toBe("404 invalid_request_error not_found")
    },
  )

  it("a body that is encoded under its chunks is 400", async () => {
    const head = postHead({ authorization, "transfer-encoding": "gzip, chunked" })
    expect(codeOf(await send(`${head}2\r\n{}\r\n0\r\n\r\n`))).toBe(MALFORMED)
  })
})

describe("unusual but valid HTTP is answered", () => {
  it("HTTP/1.0, and the connection closes", async () => {
    const connection = new RawConnection(service.url)
    await connection.write(
      `${postHead({ authorization, "content-length": BODY.length }).replace("HTTP/1.1", "HTTP/1.0")}${BODY}`,
    )
    await connection.closed
    expect(connection.responses()).toMatchObject([{ status: 200, headers: { connection: "close" } }])
  })

  it("an upgrade offer is ignored", async () => {
    const upgrade = {
      connection: "Upgrade, HTTP2-Settings",
      upgrade: "h2c",
      "http2-settings": "AAMAAABkAAQAoAAAAAIAAAAA",
    }
    const answer = await send(`${postHead({ authorization, ...upgrade, "content-length": BODY.length })}${BODY}`)
    expect(answer.status).toBe(200)
  })

  it("chunks with extensions and a trailer", async () => {
    const head = postHead({ authorization, "transfer-encoding": "Chunked" })
    const [first, rest] = [BODY.slice(0, 1), BODY.slice(1)]
    const chunks = `1;a=b\r\n${first}\r\n${rest.length.toString(16)}\r\n${rest}\r\n0\r\nx-trailer: 1\r\n\r\n`
    expect((await send(`${head}${chunks}`)).status).toBe(200)
  })

  it("pipelined requests in order, and bytes that are not HTTP after them", async () => {
    const connection = new RawConnection(service.url)
    const request = `${postHead({ authorization, "content-length": BODY.length })}${BODY}`
    await connection.write(`${request}GET /v1/nothing HTTP/1.1\r\nhost: x\r\n\r\n${request}NO HTTP\r\n\r\n`)
    await connection.closed
    const answers = connection.responses()
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 200, 400])
    expect(new Set(answers.map(({ headers }) => headers["x-request-id"])).size).toBe(4)
  })
})

describe("bytes that are not HTTP after a request that is still being answered", () => {
  it("are refused after its response, whatever their number", async () => {
    const { reader } = service.runtime
    const read = vi.spyOn(reader, "read").mockImplementation(async (body) => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      read.mockRestore()
      return reader.read(body)
    })
    const connection = new RawConnection(service.url)
    await connection.write(`${postHead({ authorization, "content-length": BODY.length })}${BODY}`)
    for (let i = 0; i < 5; i++) {
      await connection.write("NO HTTP\r\n\r\n")
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await connection.closed
    expect(connection.responses().map(({ status }) => status)).toEqual([200, 400])
  })
})

describe("a body that does not come as announced", () => {
  // A known key is looked up again after 2 s, which may pass between two requests.
  beforeEach(() => void vi.spyOn(Date, "now").mockReturnValue(Date.now()))
  afterEach(() => void vi.restoreAllMocks())

  it("is 400 with rate headers for a client that half-closes early", async () => {
    // The key is then known, so the request is counted before the end of the connection is read.
    const head = (length: number) => postHead({ authorization, "content-length": length })
    expect((await send(`${head(BODY.length)}${BODY}`)).status).toBe(200)
    const connection = new RawConnection(service.url)
    connection.socket.end(`${head(BODY.length + 1)}${BODY}`)
    const answers = await connection.awaitResponses()
    expect(answers.map(codeOf)).toEqual([MALFORMED])
    expect(answers[0]?.headers["x-ratelimit-limit"]).toBe("100000")
  })

  it.each([
    ["a malformed chunk", "1\r\n{\r\n", "zz\r\n", false],
    ["an early end", "1\r\n{\r\n", "", true],
  ])("is 400 with rate headers for chunks with %s", async (_what, first, rest, isEnded) => {
    expect((await send(`${postHead({ authorization, "content-length": BODY.length })}${BODY}`)).status).toBe(200)
    const connection = new RawConnection(service.url)
    await connection.write(`${postHead({ authorization, "transfer-encoding": "chunked" })}${first}`)
    await expect.poll(() => service.inFlight.count).toBe(1)
    if (isEnded) connection.socket.end()
    else connection.socket.write(rest)
    const answers = await connection.awaitResponses()
    expect(answers.map(codeOf)).toEqual([MALFORMED])
    expect(answers[0]?.headers["x-ratelimit-limit"]).toBe("100000")
    connection.socket.destroy()
  })
})

describe("bytes behind a request that is being answered", () => {
  const text = (length: number) =>
    JSON.stringify({ model: ALIAS, state: "s".repeat(length), questions: { q: { type: "noul", instructions: "i" } } })
  const declared = (body: string) => (headers: Record<string, string>) =>
    `${postHead({ ...headers, "content-length": body.length })}${body}`
  const chunked = (body: string) => (headers: Record<string, string>) =>
    `${postHead({ ...headers, "transfer-encoding": "chunked" })}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`

  it.each([
    ["an empty line", "a declared body", declared(text(10)), "\r\n", {}, [200]],
    ["a brace too many", "a declared body", declared(text(10)), "}", {}, [200, 400]],
    [
      "a brace too many",
      "a declared body on a connection that closes",
      declared(text(10)),
      "}",
      { connection: "close" },
      [200],
    ],
    ["a brace too many", "a chunked body", chunked(text(10)), "}", {}, [200, 400]],
    ["a brace too many", "a declared body of 300 kB", declared(text(300_000)), "}", {}, [200, 400]],
    ["a brace too many", "a chunked body of 300 kB", chunked(text(300_000)), "}", {}, [200, 400]],
    ["a null byte", "a declared body", declared(text(10)), "\0", {}, [200, 400]],
    ["half a request", "a declared body", declared(text(10)), "POST /v1/decisions HTTP/1.1\r\nhost", {}, [200]],
  ])(
    "%s after %s, at once and during its decision, does not end the decision",
    async (_what, _whose, send, extra, headers, statuses) => {
      const engine = await scriptedEngine()
      const { accountId, token } = await insertFastKey()
      const { wait, open } = gate()
      engine.waitBeforeAnswer = wait
      const connection = new RawConnection(service.url)
      await connection.write(`${send({ authorization: `Bearer ${token}`, ...headers })}${extra}`)
      await expect.poll(() => engine.working).toBe(1)
      if (statuses.length > 1) await connection.write(extra)
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect([connection.responses(), engine.working]).toEqual([[], 1])
      open()
      const answers = await connection.awaitResponses(statuses.length)
      expect(answers.map(({ status }) => status)).toEqual(statuses)
      expect((await moneyOf(accountId)).charges).toBe(1)
      connection.socket.destroy()
    },
  )
})
