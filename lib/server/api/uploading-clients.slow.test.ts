import { execFile, spawnSync } from "node:child_process"
import { promisify } from "node:util"
import { describe, expect, it, vi } from "vitest"
import { insertFastKey } from "@/test/insert-rows"
import { startEdge, testService } from "@/test/service"

// Bodies of 28 MiB on a machine that may be busy with other suites.
vi.setConfig({ testTimeout: 40_000 })

const run = promisify(execFile)
const hasPython = spawnSync("python3", ["--version"]).status === 0
const LIMIT = 29_360_128
const MIB = 1024 * 1024
const BAD = "svcd_0000000000000000000000000000000000000etOEM"

/** How long the edge waits for more of a refused body (`respond.ts`). A busy machine may pause a client for longer. */
const LINGER_IDLE_MS = 2_000
const { setTimeout: start } = globalThis
vi.spyOn(globalThis, "setTimeout").mockImplementation(((work: () => void, ms = 0, ...rest: unknown[]) =>
  start(work, ms === LINGER_IDLE_MS ? 30_000 : ms, ...rest)) as typeof setTimeout)

/** The same service with a deadline of a second. A large upload on a busy machine can take longer. */
const { url } = await testService()
const hurriedUrl = (await startEdge("api", null, { deadlines: { answerMs: 1_000, totalMs: 10_000 } })).url
const { token } = await insertFastKey()

/** Uploads with Python's `http.client` and returns the status, code and id that it read. */
async function python(
  key: string,
  bytes: number,
  how: "declared" | "closing" | "chunked",
  { to = url, piecesPerSecond = 0 } = {},
): Promise<string> {
  const args = [new URL(to).port, key, String(bytes), how, String(piecesPerSecond)]
  const { stdout } = await run("python3", ["test/clients/upload.py", ...args]).catch((failed) => failed)
  return stdout.trim()
}

/** A stream of white space, as fast as it is read, or 1 KiB every `everyMs`. */
function spaces(bytes: number, everyMs = 0): ReadableStream<Uint8Array> {
  let left = bytes
  const piece = everyMs ? 1_024 : 65_536
  return new ReadableStream({
    async pull(controller) {
      if (left <= 0) return controller.close()
      if (everyMs) await new Promise((resolve) => setTimeout(resolve, everyMs))
      controller.enqueue(new Uint8Array(Math.min(piece, left)).fill(0x20))
      left -= piece
    },
  })
}

async function nodeFetch(key: string, body: Uint8Array | ReadableStream, to = url): Promise<string> {
  const init = { method: "POST", headers: { authorization: `Bearer ${key}`, "content-type": "application/json" }, body }
  const response = await fetch(`${to}/v1/decisions`, { ...init, duplex: "half" } as RequestInit)
  const { error } = (await response.json()) as { error: { code: string } }
  return `${response.status} ${error.code} ${response.headers.get("x-request-id")?.slice(0, 4)}`
}

describe.each([
  ["a good key", LIMIT + 1, () => token],
  ["a good key", 60 * MIB, () => token],
  ["a bad key", LIMIT + 1, () => BAD],
])("a client with %s that is still sending %i bytes reads its 413:", (_name, bytes, key) => {
  it.skipIf(!hasPython).each(["declared", "chunked"] as const)("Python's http.client, %s", async (how) => {
    expect(await python(key(), bytes, how)).toBe("413 request_too_large req_")
  })

  it.each(["declared", "chunked"])("Node's fetch, %s", async (how) => {
    const body = how === "declared" ? new Uint8Array(bytes) : spaces(bytes)
    expect(await nodeFetch(key(), body)).toBe("413 request_too_large req_")
  })
})

describe("a client that sends too slowly reads its 504:", () => {
  it.skipIf(!hasPython).each(["declared", "chunked"] as const)("Python's http.client, %s", async (how) => {
    expect(await python(token, 30 * 1024, how, { to: hurriedUrl, piecesPerSecond: 15 })).toBe(
      "504 upstream_timeout req_",
    )
  })

  it("Node's fetch", async () => {
    expect(await nodeFetch(token, spaces(MIB, 50), hurriedUrl)).toBe("504 upstream_timeout req_")
  })
})

describe("a client with a bad key that sends 28 MiB reads its 401:", () => {
  it.skipIf(!hasPython)("Python's http.client", async () => {
    expect(await python(BAD, LIMIT, "declared")).toBe("401 invalid_api_key req_")
    expect(await python(BAD, LIMIT, "closing")).toBe("401 invalid_api_key req_")
    expect(await python(BAD, LIMIT, "chunked")).toBe("401 invalid_api_key req_")
  })

  it("Node's fetch", async () => {
    expect(await nodeFetch(BAD, new Uint8Array(LIMIT))).toBe("401 invalid_api_key req_")
    expect(await nodeFetch(BAD, spaces(LIMIT))).toBe("401 invalid_api_key req_")
  })
})
