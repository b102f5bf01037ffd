import * as http from "node:http"
import { describe, expect, it, vi } from "vitest"
import { placeHold } from "@/lib/server/ledger/hold"
import { newId } from "@/lib/server/platform/ids"
import { installRuntime } from "@/lib/server/platform/runtime"
import { ALIAS, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { insertPayer } from "@/test/insert-rows"
import { testService } from "@/test/service"

const CANARY = "canary-77ab"
const TOKEN = "a-token-for-prometheus"

const service = await testService({ METRICS_TOKEN: TOKEN })

/** `GET /metrics` with headers that fetch would not send. Stops the clock, so that the database is never too late to be included. */
function scrape(headers: Record<string, string> = {}): Promise<{ status: number; type: string; text: string }> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  return new Promise<{ status: number; type: string; text: string }>((resolve, reject) => {
    const request = http.get(`${service.url}/metrics`, { headers }, async (response) => {
      let text = ""
      for await (const chunk of response) text += chunk
      resolve({ status: response.statusCode ?? 0, type: String(response.headers["content-type"]), text })
    })
    request.on("error", reject)
  }).finally(() => void vi.useRealTimers())
}

const sampleOf = (text: string, sample: string) =>
  text
    .split("\n")
    .find((line) => line.startsWith(`${sample} `))
    ?.slice(sample.length + 1)

describe("the metrics", () => {
  it("show the age of the last backup once there is one", async () => {
    const age = async () =>
      sampleOf((await scrape({ authorization: `Bearer ${TOKEN}` })).text, "svc_backup_age_seconds")
    expect(await age()).toBeUndefined()
    await service.runtime.pool.query(
      "INSERT INTO backup (taken_at, bytes, sha256, schema) VALUES (now() - interval '1 day', 1, 'x', 'x'), (now() - interval '1 hour', 1, 'x', 'x')",
    )
    expect(Math.floor(Number(await age()) / 600)).toBe(6)
  })

  it("show the age of the last rehearsal of a backup once there is one", async () => {
    const age = async () =>
      sampleOf((await scrape({ authorization: `Bearer ${TOKEN}` })).text, "svc_backup_rehearsal_age_seconds")
    expect(await age()).toBeUndefined()
    await service.runtime.pool.query("INSERT INTO job_mark VALUES ('backup rehearsal', now() - interval '2 hours')")
    expect(Math.floor(Number(await age()) / 600)).toBe(12)
  })

  it("show requests, refusals, stages, tokens, holds and engines", async () => {
    const { token, ...actor } = await insertPayer()
    const questions = { late: { type: "noul", instructions: "Late?" } }
    const answered = await service.decide(token, { model: ALIAS, state: "It came late.", questions })
    const { usage } = (await answered.json()) as { usage: { input_tokens: number } }
    await service.decide(token, { model: ALIAS, state: "", questions })
    await service.decide(null, {})
    await fetch(`${service.url}/v1/models`)
    const hold = { modelId: LEXICAL_BASELINE, pricePico: pico(1n), maxTokens: 5 }
    await placeHold(service.runtime, { id: newId(), actor, ...hold })

    const { status, type, text } = await scrape()
    expect([status, type]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"])
    const value = (sample: string) => sampleOf(text, sample)
    expect(value(`svc_requests_total{route="/v1/decisions",status="200",code="ok"}`)).toBe("1")
    expect(value(`svc_requests_total{route="/v1/decisions",status="400",code="invalid_request"}`)).toBe("1")
    expect(value(`svc_requests_total{route="/v1/decisions",status="401",code="invalid_api_key"}`)).toBe("1")
    expect(value(`svc_requests_total{route="/v1/models",status="200",code="ok"}`)).toBe("1")
    expect(value(`svc_refusals_total{code="invalid_request"}`)).toBe("1")
    expect(value(`svc_refusals_total{code="ok"}`)).toBeUndefined()
    expect(value(`svc_request_duration_seconds_count{route="/v1/decisions"}`)).toBe("3")
    const stages = ["read", "check", "hold", "engine", "capture"]
    const counts = stages.map((stage) => value(`svc_stage_duration_seconds_count{stage="${stage}"}`))
    expect(counts).toEqual(["2", "2", "1", "1", "1"])
    expect(value(`svc_stage_duration_seconds_bucket{le="0.0005",stage="hold"}`)).toMatch(/^[01]$/)
    expect(value(`svc_stage_duration_seconds_bucket{le="90",stage="hold"}`)).toBe("1")
    expect(value(`svc_input_tokens_total{model="svc-lexical-baseline-1"}`)).toBe(String(usage.input_tokens))
    expect(value("svc_open_holds")).toBe("1")
    expect(value("svc_requests_in_flight")).toBe("0")
    expect(value(`svc_engine_available{model="svc-lexical-baseline-1"}`)).toBe("1")
    expect(value("svc_redis_up")).toBeUndefined()
  })

  it("show connections that are busy and requests that wait for one", async () => {
    const { pool } = service.runtime
    const held = await Promise.all(Array.from({ length: 20 }, () => pool.connect()))
    const waiting = pool.connect()
    const scraped = scrape()
    await expect.poll(() => pool.waitingCount).toBeGreaterThan(1)
    for (const client of held) client.release()
    ;(await waiting).release()
    const { text } = await scraped
    expect(sampleOf(text, `svc_database_connections{state="idle"}`)).toMatch(/^\d+$/)
    expect(Number(sampleOf(text, `svc_database_connections{state="busy"}`))).toBeLessThanOrEqual(20)
    expect(sampleOf(text, "svc_database_pool_waiting")).toMatch(/^\d+$/)
  })

  it("show whether the process is ready and why not, and whether the console is", async () => {
    const { runtime } = service
    const found = vi.spyOn(runtime.writes, "findFault").mockResolvedValue("database_full")
    installRuntime({ ...runtime, isConsoleUp: () => false })
    const broken = (await scrape()).text
    found.mockRestore()
    installRuntime(runtime)
    const healthy = (await scrape()).text
    expect([sampleOf(broken, `svc_ready{reason="database_full"}`), sampleOf(broken, "svc_console_up")]).toEqual([
      "0",
      "0",
    ])
    expect([sampleOf(healthy, `svc_ready{reason="ok"}`), sampleOf(healthy, "svc_console_up")]).toEqual(["1", undefined])
    expect(healthy).not.toContain("database_full")
  })

  it("show the rows that violated an invariant at the last check that was completed", async () => {
    const drift = async () => sampleOf((await scrape()).text, "svc_ledger_drift")
    const finish = (checks: object[] | null) =>
      service.runtime.pool.query("INSERT INTO ledger_check (finished_at, checks) VALUES (now(), $1)", [
        checks && JSON.stringify(checks),
      ])
    expect(await drift()).toBeUndefined()
    await finish([
      { name: "a", ok: false, violations: 3 },
      { name: "b", ok: false, violations: 4 },
      { name: "c", ok: true, violations: 0 },
    ])
    await finish(null)
    expect(await drift()).toBe("7")
    await finish([{ name: "a", ok: true, violations: 0 }])
    expect(await drift()).toBe("0")
  })

  it("show by how much the clock of the process is ahead of the database's", async () => {
    const now = Date.now.bind(Date)
    const clock = vi.spyOn(Date, "now").mockImplementation(() => now() + 60_000)
    const { text } = await scrape()
    clock.mockRestore()
    expect(Math.abs(Number(sampleOf(text, "svc_database_clock_skew_seconds")) - 60)).toBeLessThan(1)
  })

  it("show failed jobs, failed mails and lost events", async () => {
    const { metrics, events, pool } = service.runtime
    metrics.job("backup", true)
    metrics.job("usage", true)
    metrics.job("usage", false)
    metrics.mail("failed")
    await events.flush()
    events.add({
      ...{ requestId: newId(), actor: { accountId: newId(), keyId: newId() }, model: null },
      ...{ status: 429, code: "rate_limited", latencyMs: 1, at: new Date() },
    })
    const unreachable = vi.spyOn(pool, "query").mockRejectedValue(new Error("the database is unreachable"))
    await events.flush()
    unreachable.mockRestore()
    const { text } = await scrape()
    expect(sampleOf(text, `svc_job_failing{job_name="backup"}`)).toBe("1")
    expect(sampleOf(text, `svc_job_failing{job_name="usage"}`)).toBe("0")
    expect(sampleOf(text, `svc_job_failures_total{job_name="usage"}`)).toBe("1")
    expect(sampleOf(text, `svc_mails_total{outcome="failed"}`)).toBe("1")
    expect(sampleOf(text, "svc_request_events_lost_total")).toBe("1")
  })

  it("contain nothing from a request", async () => {
    const { token } = await insertPayer()
    await service.decide(token, {
      model: CANARY,
      state: CANARY,
      questions: { [CANARY]: { type: "noul", instructions: CANARY } },
    })
    await service.decide(`svcd_${CANARY}`, { [CANARY]: 1 }, { [`x-${CANARY}`]: CANARY })
    await fetch(`${service.url}/v1/${CANARY}?${CANARY}`)
    const { status, text } = await scrape()
    expect(status).toBe(200)
    expect(text).toContain(`svc_requests_total{route="none",status="404",code="not_found"}`)
    expect(text).not.toContain(CANARY)
  })

  it("omit the open holds while the database does not answer, and show the rest", async () => {
    const unreachable = vi.spyOn(service.runtime.pool, "query")
    unreachable.mockRejectedValue(new Error("the database is unreachable"))
    const { status, text } = await scrape()
    unreachable.mockRestore()
    expect(status).toBe(200)
    expect(sampleOf(text, "svc_open_holds")).toBeUndefined()
    expect(sampleOf(text, "svc_requests_in_flight")).toBe("0")
    expect(sampleOf((await scrape()).text, "svc_open_holds")).toBeDefined()
  })
})

describe("a scrape", () => {
  const elsewhere = { "x-forwarded-for": "203.0.113.9" }

  it.each([
    ["through a proxy", elsewhere],
    ["under a rebound name", { host: "evil.example" }],
    ["with a wrong token", { ...elsewhere, authorization: "Bearer a-token-for-prometheuS" }],
    ["with a part of the token", { ...elsewhere, authorization: `Bearer ${TOKEN.slice(0, -1)}` }],
    ["with the token under another scheme", { ...elsewhere, authorization: `Basic ${TOKEN}` }],
    ["with an empty token", { ...elsewhere, authorization: "Bearer " }],
  ])("%s gets 404", async (_case, headers) => {
    const { status, type, text } = await scrape(headers)
    expect([status, type]).toEqual([404, "application/json"])
    expect(JSON.parse(text)).toEqual({
      error: { message: "Nothing was found at this address.", type: "invalid_request_error", code: "not_found" },
    })
  })

  it("from another machine gets 404 when no token is set", async () => {
    const { runtime } = service
    installRuntime({ ...runtime, env: { ...runtime.env, METRICS_TOKEN: undefined } })
    const answers = [await scrape({ ...elsewhere, authorization: "Bearer undefined" }), await scrape(elsewhere)]
    installRuntime(runtime)
    expect(answers.map(({ status }) => status)).toEqual([404, 404])
  })

  it("from another machine is answered with the token", async () => {
    expect((await scrape({ ...elsewhere, authorization: `Bearer ${TOKEN}` })).status).toBe(200)
    expect((await scrape({ host: "evil.example", authorization: `bearer ${TOKEN}` })).status).toBe(200)
  })
})
