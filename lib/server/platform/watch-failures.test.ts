import { describe, expect, it } from "vitest"
import { testRuntime } from "@/test/database"
import { insertFastKey } from "@/test/insert-rows"
import { startServer } from "@/test/server-process"

const { databaseUrl } = await testRuntime()

/** Makes a server throw when it is told to, with a text that nobody may read. */
const THROWER = `
  process.on("SIGUSR2", () => { throw new TypeError("a-secret-in-an-exception") })
  process.on("SIGWINCH", () => { Promise.reject(new RangeError("a-secret-in-a-rejection")) })`
const failing = () =>
  startServer(databaseUrl, {
    NODE_OPTIONS: `--import=data:text/javascript;base64,${Buffer.from(THROWER).toString("base64")}`,
  })

const lines = (text: string) =>
  text
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line))

describe("a server", () => {
  it("goes on after a rejection that nobody handled; an exception stops it gracefully with exit code 1", async () => {
    const server = await failing()
    server.signal("SIGWINCH")
    await expect.poll(server.written).toContain("a rejection was not handled")
    expect((await fetch(`${server.url}/v1/models`)).status).toBe(200)

    const { token } = await insertFastKey()
    const slow = new ReadableStream({
      async start(controller) {
        controller.enqueue(
          Buffer.from('{"model":"none","state":"x","questions":{"q":{"type":"noul","instructions":"?"}}'),
        )
        await new Promise((resolve) => setTimeout(resolve, 500))
        controller.enqueue(Buffer.from("}"))
        controller.close()
      },
    })
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
    const init = { method: "POST", headers, body: slow, duplex: "half" }
    const underWay = fetch(`${server.url}/v1/decisions`, init as RequestInit)
    await new Promise((resolve) => setTimeout(resolve, 200))
    server.signal("SIGUSR2")
    expect((await underWay).status).toBe(400)
    expect(await server.ended).toBe(1)

    const failures = lines(server.written()).filter(({ msg }) => /rejection|exception/.test(msg))
    expect(failures).toMatchObject([
      { level: 50, msg: "a rejection was not handled", cause: { name: "RangeError" } },
      { level: 50, msg: "an exception was not caught: stopping", cause: { name: "TypeError" } },
    ])
    expect(failures[1].cause.place.length).toBeGreaterThan(0)
    expect(server.written()).not.toContain("a-secret")
  })

  it("that is told to stop exits with 0", async () => {
    const server = await startServer(databaseUrl)
    server.signal("SIGTERM")
    expect(await server.ended).toBe(0)
  })
})
