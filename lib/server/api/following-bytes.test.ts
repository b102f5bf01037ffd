import { beforeAll, beforeEach, expect, it } from "vitest"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { type FakeEngine, fakeEngine, gate } from "@/test/fake-engine"
import { insertFastKey } from "@/test/insert-rows"
import { moneyOf } from "@/test/ledger-state"
import { postHead, RawConnection } from "@/test/raw-http"
import { type TestService, testService } from "@/test/service"

let service: TestService
let engine: FakeEngine
beforeAll(async () => {
  service = await testService()
})
beforeEach(async () => {
  engine = await fakeEngine()
})

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
  "%s that follows %s at once, and again while it is worked on, does not end its decision",
  async (_what, _whose, send, extra, headers, statuses) => {
    const { accountId, token } = await insertFastKey()
    const { wait, open } = gate()
    engine.answering = wait
    const connection = new RawConnection(service.url)
    await connection.write(`${send({ authorization: `Bearer ${token}`, ...headers })}${extra}`)
    await expect.poll(() => engine.working).toBe(1)
    if (statuses.length > 1) await connection.write(extra)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect([connection.answers(), engine.working]).toEqual([[], 1])
    open()
    const answers = await connection.awaitAnswers(statuses.length)
    expect(answers.map(({ status }) => status)).toEqual(statuses)
    expect((await moneyOf(accountId)).charges).toBe(1)
    connection.socket.destroy()
  },
)
