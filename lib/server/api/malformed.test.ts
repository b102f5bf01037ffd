import { METHODS } from "node:http"
import { beforeAll, describe, expect, it, vi } from "vitest"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { insertFastKey } from "@/test/insert-rows"
import { postHead, type RawAnswer, RawConnection } from "@/test/raw-http"
import { type TestService, testService } from "@/test/service"

let service: TestService
let authorization: string
beforeAll(async () => {
  service = await testService()
  authorization = `Bearer ${(await insertFastKey()).token}`
})

const BODY = JSON.stringify({ model: ALIAS, state: "hi", questions: { q: { type: "noul", instructions: "Is it?" } } })

/** Sends a text on a connection of its own; the first answer. */
async function send(text: string): Promise<RawAnswer> {
  const connection = new RawConnection(service.url)
  await connection.write(Buffer.from(text, "latin1"))
  const [answer] = await connection.awaitAnswers()
  connection.socket.destroy()
  if (!answer) throw new Error("no answer")
  return answer
}

/** Its code, after a look at what every refusal has: the shape, an id of its own, and nothing more. */
function codeOf({ status, headers, body }: RawAnswer): string {
  const { error } = JSON.parse(body)
  expect(headers["content-type"]).toBe("application/json")
  expect(headers["x-request-id"]).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/)
  expect(typeof error.message).toBe("string")
  expect(body).not.toMatch(/\bat |node:|\.ts|HPE_|FST_/)
  return `${status} ${error.type} ${error.code}`
}

const post = (...lines: string[]) => ["POST /v1/decisions HTTP/1.1", "host: x", ...lines].join("\r\n")
const MALFORMED = "400 invalid_request_error invalid_request"

describe("what is no HTTP is 400 in the error shape", () => {
  it.each([
    ["two lengths", post("content-length: 1", "content-length: 2", "", "ab")],
    ["a length beside chunks", post("content-length: 1", "transfer-encoding: chunked", "", "0", "", "")],
    ["a negative length", post("content-length: -1", "", "")],
    ["a chunk size that is none", post("transfer-encoding: chunked", "", "zz", "abc")],
    ["a chunk longer than it says", post("transfer-encoding: chunked", "", "2", "abcd", "")],
    ["a coding that ends in no chunks", post("transfer-encoding: gzip", "", "ab")],
    ["100 kB of headers", post(`x-long: ${"y".repeat(100_000)}`, "", "")],
    ["an absolute target", "POST http://evil.example/v1/decisions HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n"],
    ["a tunnel", "CONNECT evil.example:443 HTTP/1.1\r\nhost: x\r\n\r\n"],
    ["the server as a whole", "OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n"],
    ["a method in small letters", "post /v1/decisions HTTP/1.1\r\nhost: x\r\n\r\n"],
    ["a method that nobody knows", "BREW /v1/decisions HTTP/1.1\r\nhost: x\r\n\r\n"],
    ["HTTP/1.1 without a host", "GET /v1/models HTTP/1.1\r\n\r\n"],
    ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
    ["a zero byte in the path", "GET /v1/mod\0els HTTP/1.1\r\nhost: x\r\n\r\n"],
    ["a line that ends in no carriage return", "GET /v1/models HTTP/1.1\nhost: x\n\n"],
    ["a space before the colon", "GET /v1/models HTTP/1.1\r\nhost : x\r\n\r\n"],
  ])("%s", async (_name, text) => {
    expect(codeOf(await send(text))).toBe(MALFORMED)
  })

  it.each([
    ["a length past all numbers", post("content-length: 99999999999999999999999", "", "")],
    ["a chunk past all numbers", post("transfer-encoding: chunked", "", "ffffffffffffffffff", "abc")],
  ])("but %s is 413", async (_name, text) => {
    expect(codeOf(await send(text))).toBe("413 invalid_request_error request_too_large")
  })
})

describe("what is HTTP but not ours", () => {
  it.each([
    ["/v1/decisions", "POST"],
    ["/v1/models", "GET"],
  ])("at %s every method but %s is 405", async (path, allowed) => {
    for (const method of METHODS.filter((name) => name !== allowed && name !== "CONNECT" && name !== "HEAD")) {
      const answer = await send(`${method} ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
      expect([method, codeOf(answer)]).toEqual([method, "405 invalid_request_error method_not_allowed"])
      expect(answer.headers.allow).toBe(allowed)
    }
  })

  it("a HEAD gets the same head and no body", async () => {
    const connection = new RawConnection(service.url)
    await connection.write("HEAD /v1/models HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
    await connection.closed
    expect(connection.answers()).toMatchObject([{ status: 405, headers: { allow: "GET" }, body: "" }])
  })

  it.each(["/v1/%zz", "/v1/decisions%ff", "//v1/models", `/v1/${"a".repeat(12_000)}`, "/v1/decisions/", "/V1/models"])(
    "the path %.20s is 404",
    async (path) => {
      const answer = await send(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
      expect(codeOf(answer)).toBe("404 invalid_request_error not_found")
    },
  )

  it("a coding under the chunks is a body we do not read", async () => {
    const head = postHead({ authorization, "transfer-encoding": "gzip, chunked" })
    expect(codeOf(await send(`${head}2\r\n{}\r\n0\r\n\r\n`))).toBe(MALFORMED)
  })
})

describe("what is unusual but HTTP is answered", () => {
  it("HTTP/1.0, and the connection closes", async () => {
    const connection = new RawConnection(service.url)
    await connection.write(
      `${postHead({ authorization, "content-length": BODY.length }).replace("HTTP/1.1", "HTTP/1.0")}${BODY}`,
    )
    await connection.closed
    expect(connection.answers()).toMatchObject([{ status: 200, headers: { connection: "close" } }])
  })

  it("an offer to upgrade is not taken up", async () => {
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

  it("pipelined requests, in order, and what is no HTTP after them too", async () => {
    const connection = new RawConnection(service.url)
    const request = `${postHead({ authorization, "content-length": BODY.length })}${BODY}`
    await connection.write(`${request}GET /v1/nothing HTTP/1.1\r\nhost: x\r\n\r\n${request}NO HTTP\r\n\r\n`)
    await connection.closed
    const answers = connection.answers()
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 200, 400])
    expect(new Set(answers.map(({ headers }) => headers["x-request-id"])).size).toBe(4)
  })
})

describe("what is no HTTP behind a request that is still at work", () => {
  it("waits for that answer, however much of it there is", async () => {
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
    expect(connection.answers().map(({ status }) => status)).toEqual([200, 400])
  })
})

describe("a body that does not come as announced", () => {
  it("is 400 to a client that ends early and still reads, with the headers of an accepted key", async () => {
    const connection = new RawConnection(service.url)
    connection.socket.end(`${postHead({ authorization, "content-length": BODY.length + 1 })}${BODY}`)
    const answers = await connection.awaitAnswers()
    expect(answers.map(codeOf)).toEqual([MALFORMED])
    expect(answers[0]?.headers["x-ratelimit-limit"]).toBe("100000")
  })
})
