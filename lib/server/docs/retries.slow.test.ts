/** Runs the programs of docs/guide/retries.md against a server that fails as scripted. */
import { createServer } from "node:http"
import { describe, expect, test } from "vitest"
import { listen } from "@/test/listen"
import { hasProgram, isRunnable, runSnippet } from "@/test/run-snippet"
import { testService } from "@/test/service"
import { type GuidePage, readGuide } from "./guide"
import { snippetsOf } from "./parse"
import { SLUGS } from "./slugs"
import { guideValues } from "./values"

/** The responses to the next requests; null breaks the connection. The last one repeats. */
type Script = ({ status: number; body: string; headers?: Record<string, string> } | null)[]

const service = await testService()
const SOME = { code: "some_code", message: "m" }
const refusal = (status: number, error: object) => ({ status, body: JSON.stringify({ error }), headers: {} })
let script: Script = []
let asked = 0
/** The `Idempotency-Key` of each request. */
let keys: unknown[] = []
/** How many requests with the key `svcd_<status>` were refused with that status. */
let refused: Record<string, number> = {}

const server = createServer((request, response) => {
  request.resume().on("end", () => {
    const always = /^Bearer svcd_(\d+)$/.exec(request.headers.authorization ?? "")?.[1]
    if (always) refused[always] = (refused[always] ?? 0) + 1
    keys.push(request.headers["idempotency-key"])
    const next = always ? refusal(Number(always), SOME) : script[Math.min(asked++, script.length - 1)]
    if (!next) return request.socket.destroy()
    response.writeHead(next.status, next.headers).end(next.body)
  })
})

const { catalogue, env } = service.runtime
const BASE_URL = await listen(server)
const guide = await readGuide(guideValues({ catalogue, env: { ...env, BASE_URL } }))
const page = guide[SLUGS.indexOf("retries")] as GuidePage
const snippets = snippetsOf(page.markdown)
  .filter(isRunnable)
  .filter(({ language }) => language !== "python" || hasProgram("python3"))

const answer = { status: 200, body: '{"model":"svc-1","answers":{"refund":{"type":"noul","noul":0.5}},"usage":{}}' }
const play = async (snippet: (typeof snippets)[number], next: Script) => {
  script = next
  asked = 0
  keys = []
  return { ...(await runSnippet(snippet, "svcd_test", { node: 24 })), asked }
}

describe.each(snippets.map((snippet) => [snippet.title, snippet] as const))("%s", (_title, snippet) => {
  test("retries a 429, a 504 without JSON and a broken connection, and waits for Retry-After", async () => {
    const startedAt = performance.now()
    const limited = { ...refusal(429, { code: "rate_limited", message: "m" }), headers: { "retry-after": "1" } }
    const ran = await play(snippet, [{ status: 504, body: "<html>" }, null, limited, answer])
    expect(ran).toMatchObject({ exitCode: 0, asked: 5 })
    expect(ran.stdout).toBe("Please refund me. 0.50 (svc-1)\nThank you, all is well. 0.50 (svc-1)\n")
    expect(performance.now() - startedAt).toBeGreaterThan(1_000)
    // Four attempts at the first request, one at the second.
    expect(keys.every((key) => /^[A-Za-z0-9_-]{1,64}$/.test(String(key)))).toBe(true)
    expect(keys.map((key) => keys.indexOf(key))).toEqual([0, 0, 0, 0, 4])
  })

  test("stops the whole run at a 402, and reports when the limit resets", async () => {
    const reached = refusal(402, {
      code: "key_limit_reached",
      message: "The request would take this key past its spend limit.",
      resets_at: "2026-12-02T00:00:00.000Z",
    })
    const ran = await play(snippet, [answer, reached])
    expect(ran).toMatchObject({ exitCode: 1, asked: 2, stdout: "Please refund me. 0.50 (svc-1)\n" })
    expect(ran.stderr).toContain("402 key_limit_reached: The request would take this key past its spend limit.")
    expect(ran.stderr).toContain("2026-12-02T00:00:00.000Z")
  })

  test("sends a 400, 401, 410 or 413 once and fails", async () => {
    refused = {}
    const statuses = ["400", "401", "410", "413"]
    const ran = await Promise.all(statuses.map((status) => runSnippet(snippet, `svcd_${status}`, { node: 24 })))
    expect(ran.map(({ exitCode, stdout }) => ({ exitCode, stdout }))).toEqual(
      statuses.map(() => ({ exitCode: 1, stdout: "" })),
    )
    for (const [i, { stderr }] of ran.entries()) expect(stderr).toContain(`${statuses[i]} some_code: m`)
    expect(refused).toEqual(Object.fromEntries(statuses.map((status) => [status, 1])))
  })
})
