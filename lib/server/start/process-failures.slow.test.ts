import { spawn } from "node:child_process"
import { once } from "node:events"
import { openSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { createLog } from "@/lib/server/platform/log"
import { testRuntime } from "@/test/database"
import { insertFastKey } from "@/test/insert-rows"
import { startServer } from "@/test/server-process"
import { logConsoleOutput } from "./process-failures"

const { databaseUrl } = await testRuntime()

/** Makes a server throw on a signal, with a secret in the message. It prints when a request with a body has arrived. */
const THROWER = `
  import { subscribe } from "node:diagnostics_channel"
  subscribe("http.server.request.start", ({ request }) => request.method === "POST" && console.log("a POST arrived"))
  process.on("SIGUSR2", () => { throw new TypeError("a-secret-in-an-exception") })
  process.on("SIGWINCH", () => { Promise.reject(new RangeError("a-secret-in-a-rejection")) })`
/** Makes a step of the stop fail. */
const UNCLOSABLE = `
  import { Server } from "node:http"
  Server.prototype.closeIdleConnections = () => { throw new RangeError("a-secret-in-a-stop") }`
const failing = (program = THROWER) =>
  startServer(databaseUrl, {
    NODE_OPTIONS: `--import=data:text/javascript;base64,${Buffer.from(program).toString("base64")}`,
  })

const lines = (text: string) =>
  text
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line))

describe("a server", () => {
  it("continues after an unhandled rejection, and stops gracefully with exit code 1 after an uncaught exception", async () => {
    const server = await failing()
    server.signal("SIGWINCH")
    await expect.poll(server.written).toContain("process.unhandled_rejection")
    expect((await fetch(`${server.url}/v1/models`)).status).toBe(200)

    const { token } = await insertFastKey()
    const { readable, writable } = new TransformStream()
    const body = writable.getWriter()
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
    const init = { method: "POST", headers, body: readable, duplex: "half" }
    const underWay = fetch(`${server.url}/v1/decisions`, init as RequestInit)
    await body.write(Buffer.from('{"model":"none","state":"x","questions":{"q":{"type":"noul","instructions":"?"}}'))
    await expect.poll(server.written).toContain("a POST arrived")
    server.signal("SIGUSR2")
    await expect.poll(server.written).toContain("process.uncaught_exception")
    await body.write(Buffer.from("}"))
    await body.close()
    expect((await underWay).status).toBe(400)
    expect(await server.ended).toBe(1)

    const failures = lines(server.written()).filter(({ event }) => /rejection|exception/.test(event))
    expect(failures).toMatchObject([
      { level: 50, event: "process.unhandled_rejection", cause: { name: "RangeError" } },
      { level: 50, event: "process.uncaught_exception", cause: { name: "TypeError" } },
    ])
    expect(failures[1].cause.place.length).toBeGreaterThan(0)
    expect(server.written()).not.toContain("a-secret")
  })

  it("exits with 1 when a step of its stop fails", async () => {
    const server = await failing(UNCLOSABLE)
    server.signal("SIGTERM")
    expect(await server.ended).toBe(1)
    expect(lines(server.written()).at(-1)).toMatchObject({
      level: 50,
      event: "process.stop_failed",
      cause: { name: "RangeError" },
    })
    expect(server.written()).not.toContain("a-secret")
  })

  it.each(["SIGTERM", "SIGHUP"] as const)("exits with 0 on %s", async (signal) => {
    const server = await startServer(databaseUrl)
    server.signal(signal)
    expect(await server.ended).toBe(0)
  })
})

describe("a process on a full disk", () => {
  const PROGRAM = `
    const { createLog } = await import("./lib/server/platform/log.ts")
    const { handleUncaught } = await import("./lib/server/start/process-failures.ts")
    const log = createLog("info")
    handleUncaught(log, () => process.exit())
    process.stdout.write("a link")
    setInterval(() => log.info("x".repeat(10_000)), 20)
    setTimeout(() => process.exit(3), 1_000)`

  it("ignores failed writes and exits with its own code", async () => {
    const full = openSync("/dev/full", "w")
    const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", PROGRAM], {
      stdio: ["ignore", full, full],
      // On a busy machine, Node and tsx alone may take 12 s to start.
      timeout: 150_000,
      killSignal: "SIGKILL",
    })
    expect(await once(child, "exit")).toEqual([3, null])
  })
})

describe("what a library prints", () => {
  const CANARY = "canary-77aa"

  /** Takes over a printer and returns it with the log lines that it makes. */
  function takeOver() {
    const lines: string[] = []
    const printer = { error: (..._printed: unknown[]) => {}, warn: (..._printed: unknown[]) => {} }
    logConsoleOutput(createLog("info", { write: (line) => void lines.push(line) }), printer)
    return { printer, lines }
  }

  it.each(["error", "warn"] as const)("by console.%s reaches the log without its text", (how) => {
    const { printer, lines } = takeOver()
    const error = Object.assign(new TypeError(`Bad value: ${CANARY}`), { digest: "3152698577" })
    printer[how](" ⨯", error, { state: CANARY })
    printer[how](CANARY)
    expect(lines.join("")).not.toContain(CANARY)
    expect(lines.map((line) => JSON.parse(line).cause?.name)).toEqual(["TypeError", undefined])
  })

  it("is logged with the reference that a failed page shows its user, and with no other digest", () => {
    const { printer, lines } = takeOver()
    printer.error(Object.assign(new Error("x"), { digest: "3152698577" }))
    printer.error(Object.assign(new Error("x"), { digest: `NEXT_REDIRECT;replace;/sign-in?next=${CANARY}` }))
    expect(lines.map((line) => JSON.parse(line).cause.reference)).toEqual(["3152698577", undefined])
  })
})
