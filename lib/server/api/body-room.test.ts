import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, it, vi } from "vitest"
import { postHead } from "@/test/raw-http"
import { bodies, LIMIT, MIB, padded, SLOWLY, sendChunked, summary, TEXT, uploads } from "@/test/uploads"

vi.setConfig({ testTimeout: 40_000 })

const { service, authorization, connect, declared, occupy, answerTo } = uploads()

describe("a body that waits for room", () => {
  it("is not read: its client is held up, and answered once there is room", async () => {
    const room = await occupy()
    const connection = connect()
    connection.socket.write(declared(LIMIT))
    connection.socket.write(padded(LIMIT))
    await expect.poll(() => bodies.waiting, SLOWLY).toBe(1)
    await sleep(300)
    expect(connection.socket.writableLength).toBeGreaterThan(16 * MIB)
    room.release()
    expect((await connection.awaitAnswers(1, SLOWLY.timeout)).map(summary)).toEqual(["200 ok"])
  })

  it("does not hold up one of 64 KiB, declared or chunked", async () => {
    const room = await occupy()
    const small = padded(65_536)
    const first = await answerTo((connection) =>
      connection.write(Buffer.concat([Buffer.from(declared(65_536)), small])),
    )
    const second = await answerTo((connection) => sendChunked(connection, { authorization: authorization() }, small))
    expect([summary(first), summary(second)]).toEqual(["200 ok", "200 ok"])
    room.release()
  })

  it("of undeclared length asks for room after 64 KiB, and gives back what it did not need", async () => {
    const room = await occupy(2 * MIB)
    const connection = connect()
    await connection.write(postHead({ authorization: authorization(), "transfer-encoding": "chunked" }))
    await connection.write(Buffer.concat([Buffer.from("10001\r\n"), padded(65_537), Buffer.from("\r\n")]))
    await expect.poll(() => bodies.waiting, SLOWLY).toBe(1)
    room.release()
    await expect.poll(() => bodies.used, SLOWLY).toBe(LIMIT)
    let goOn = () => {}
    const read = vi.spyOn(service().runtime.reader, "read").mockImplementation(async (body) => {
      await new Promise<void>((resolve) => {
        goOn = resolve
      })
      read.mockRestore()
      return service().runtime.reader.read(body)
    })
    await connection.write("0\r\n\r\n")
    await expect.poll(() => bodies.used, SLOWLY).toBe(65_537)
    goOn()
    expect((await connection.awaitAnswers(1, SLOWLY.timeout)).map(summary)).toEqual(["200 ok"])
  })

  it.each(["says goodbye", "breaks off"])("loses its place when its client %s", async (how) => {
    const room = await occupy()
    const connection = connect()
    await connection.write(declared(MIB))
    await expect.poll(() => bodies.waiting, SLOWLY).toBe(1)
    if (how === "says goodbye") connection.socket.destroy()
    else connection.socket.resetAndDestroy()
    await expect.poll(() => bodies.waiting, SLOWLY).toBe(0)
    room.release()
    expect(bodies.used).toBe(0)
  })

  it("of a client that left behind more than we had read holds up nobody when its turn comes", async () => {
    const room = await occupy()
    const gone = connect()
    gone.socket.write(declared(LIMIT))
    gone.socket.write(padded(8 * MIB))
    await expect.poll(() => bodies.waiting, SLOWLY).toBe(1)
    gone.socket.destroy()
    const next = connect()
    next.socket.write(declared(LIMIT))
    next.socket.write(padded(LIMIT))
    await expect.poll(() => bodies.waiting, SLOWLY).toBe(2)
    room.release()
    expect((await next.awaitAnswers(1, SLOWLY.timeout)).map(summary)).toEqual(["200 ok"])
  })
})

describe("a body that never comes whole", () => {
  it.each([["in the midst of it"], ["before it"]])(
    "frees its room when the client closes %s, and is no 500",
    async (when) => {
      const connection = connect()
      await connection.write(declared(MIB))
      if (when === "in the midst of it") await connection.write(padded(MIB / 2))
      await expect.poll(() => bodies.used, SLOWLY).toBe(MIB)
      connection.socket.destroy()
      await expect.poll(() => [bodies.used, service().inFlight.count], SLOWLY).toEqual([0, 0])
      expect((await service().decide(authorization().slice(7), TEXT)).status).toBe(200)
    },
  )

  it("never is a deadlock: of 45 uploads through a narrow budget those that stay are answered", async () => {
    const small = padded(6 * MIB)
    const upload = async (i: number) => {
      const connection = connect()
      connection.socket.write(declared(small.length))
      connection.socket.write(i % 3 === 0 ? small.subarray(0, 100_000) : small)
      if (i % 3 === 0) return void setTimeout(() => connection.socket.destroy(), 5 * i)
      const [answer] = await connection.awaitAnswers(1, SLOWLY.timeout)
      connection.socket.destroy()
      return answer?.status
    }
    const statuses = await Promise.all(Array.from({ length: 45 }, (_, i) => upload(i)))
    expect(statuses.filter((status) => status === 200)).toHaveLength(30)
    await expect.poll(() => [bodies.used, bodies.waiting], SLOWLY).toEqual([0, 0])
  })
})

describe("a client that never reads", () => {
  it("is held up itself, and nobody else", async () => {
    const connection = connect()
    connection.socket.pause()
    connection.socket.write("GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n".repeat(2_000))
    await sleep(500)
    const started = performance.now()
    expect((await service().decide(authorization().slice(7), TEXT)).status).toBe(200)
    expect(performance.now() - started).toBeLessThan(5_000)
    connection.socket.destroy()
    await expect.poll(() => service().inFlight.count, SLOWLY).toBe(0)
  })
})
