import { spawn } from "node:child_process"
import { once } from "node:events"
import { openSync } from "node:fs"
import { expect, it } from "vitest"
import { createLog, type LogFields } from "./log"

const CANARY = "canary-5f1c"

function capture(level = "info") {
  const lines: string[] = []
  return { log: createLog(level, { write: (line) => void lines.push(line) }), lines }
}

it("writes a line as one JSON object with the allowed fields", () => {
  const { log, lines } = capture()
  const fields = {
    event: "request.ended",
    requestId: "req_1",
    method: "POST",
    route: "/v1/decisions",
    status: 200,
    code: "ok",
    latencyMs: 12,
    accountId: "a",
    keyId: "k",
    model: "m",
    tokens: 7,
    count: 1,
    reason: "r",
  }
  log.info("request", fields)
  expect(lines).toHaveLength(1)
  expect(lines[0]?.endsWith("\n")).toBe(true)
  const { time, ...line } = JSON.parse(lines[0] ?? "")
  expect(time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  expect(line).toEqual({ level: 30, msg: "request", ...fields })
})

it("never writes a field outside the list, cast in or hidden in another", () => {
  const { log, lines } = capture()
  const smuggled = {
    requestId: "req_1",
    state: CANARY,
    body: { text: CANARY },
    authorization: CANARY,
    [CANARY]: 1,
    err: new Error(CANARY),
    msg: CANARY,
    toJSON: () => ({ state: CANARY }),
  } as LogFields
  for (const write of [log.info, log.warn, log.error]) write("request", smuggled)
  expect(lines).toHaveLength(3)
  expect(lines.join("")).not.toContain(CANARY)
  expect(Object.keys(JSON.parse(lines[0] ?? "")).toSorted()).toEqual(["level", "msg", "requestId", "time"])
})

it("keeps only the kind, code and place of a cause, never its texts", () => {
  const { log, lines } = capture()
  class QueryFailed extends Error {
    override name = "QueryFailed"
    code = "22P05"
    detail = CANARY
    query = { parameters: [CANARY] }
  }
  log.error("a request failed", { cause: new QueryFailed(`Bad value: ${CANARY}`, { cause: new Error(CANARY) }) })
  expect(lines.join("")).not.toContain(CANARY)
  expect(JSON.parse(lines[0] ?? "").cause).toEqual({
    name: "QueryFailed",
    code: "22P05",
    place: expect.arrayContaining([expect.stringContaining("log.test.ts")]),
  })
})

it.each([
  ["looks like a stack", `\n    at ${CANARY} (file.ts:1:1)\n    at more`],
  ["was changed later", "first"],
  ["is repeated in itself", `${CANARY}\n    at ${CANARY}\n`],
])("does not log a message that %s as a place", (_case, message) => {
  const { log, lines } = capture()
  const cause = new Error(message === "first" ? `x\n    at ${CANARY}` : message)
  if (message === "first") cause.message = "second"
  log.error("a request failed", { cause })
  expect(lines.join("")).not.toContain(CANARY)
})

it.each([CANARY, { message: CANARY, stack: `    at ${CANARY}` }, [CANARY], null, 7])(
  "does not log a cause that is not an error, such as %j",
  (cause) => {
    const { log, lines } = capture()
    log.error("a request failed", { cause })
    expect(Object.keys(JSON.parse(lines[0] ?? "")).toSorted()).toEqual(["level", "msg", "time"])
  },
)

it("writes nothing at the level silent", () => {
  const { log, lines } = capture("silent")
  log.error("a request failed")
  expect(lines).toEqual([])
})

it("writes lines to standard error soon, and the last ones when the process exits", async () => {
  const program = `const { createLog } = await import("./lib/server/platform/log.ts")
    const log = createLog("info")
    log.info("first")
    process.stdin.once("data", () => {
      log.info("last")
      process.exit(0)
    })`
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program])
  const [first] = await once(child.stderr, "data")
  expect(String(first)).toContain('"msg":"first"')
  child.stdin.write("end")
  const [last] = await once(child.stderr, "data")
  expect(String(last)).toContain('"msg":"last"')
})

it("a process whose log cannot be written exits at once with its code, also before its first write failed", async () => {
  const program = `const { createLog } = await import("./lib/server/platform/log.ts")
    createLog("info").info("last")
    process.exit(3)`
  const full = openSync("/dev/full", "w")
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program], {
    stdio: ["ignore", "ignore", full],
    // On a busy machine, Node and tsx alone may take 12 s to start.
    timeout: 50_000,
    killSignal: "SIGKILL",
  })
  expect(await once(child, "exit")).toEqual([3, null])
})
