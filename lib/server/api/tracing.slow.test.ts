import { beforeEach, expect, it, vi } from "vitest"
import { readEnv } from "@/lib/server/platform/env"
import { openTracing } from "@/lib/server/platform/open-tracing"
import { runtime } from "@/lib/server/platform/runtime"
import type { Tracing } from "@/lib/server/platform/tracing"
import { testRuntime } from "@/test/database"
import { startLlamaCpp } from "@/test/doubles/llama-cpp"
import { startCollector } from "@/test/doubles/otlp-collector"
import { freePort } from "@/test/free-port"
import { insertFastKey } from "@/test/insert-rows"
import { startServer } from "@/test/server-process"
import { type TestService, testService } from "@/test/service"

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
const PARENT = "00f067aa0ba902b7"
const BODY = { model: "svc-decider-latest", state: "x", questions: { q: { type: "noul", instructions: "?" } } }

const llama = await startLlamaCpp()
const service: TestService = await testService({ ENGINE_URL: llama.url })
const { token } = await insertFastKey()
beforeEach(() => () => {
  runtime().tracing = null
  vi.unstubAllEnvs()
})

/** Turns tracing on in this process, as a start with these settings would. */
async function trace(settings: Record<string, string>): Promise<Tracing> {
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
  const tracing = await openTracing(readEnv(settings), runtime().log)
  if (!tracing) throw new Error("tracing is off")
  runtime().tracing = tracing
  return tracing
}

const traceparent = (flags: string) => ({ traceparent: `00-${TRACE}-${PARENT}-${flags}` })

/** Returns the trace context that the engine received with the latest decision. */
const engineGot = () => llama.requests.findLast(({ path }) => path === "/v1/systemone")?.headers.traceparent

it("a decision is a span within its client's, with its stages and the engine's call inside", async () => {
  const collector = await startCollector()
  const tracing = await trace({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/otlp`,
    OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=ada",
    OTEL_SERVICE_NAME: "decide-eu",
  })
  expect((await service.decide(token, BODY, traceparent("01"))).status).toBe(200)
  await tracing.close()

  const spans = collector.spans()
  const idOf = (name: string) => spans.find((span) => span.name === name)?.spanId
  const request = idOf("POST /v1/decisions")
  expect(spans.map(({ name, parentId, traceId }) => [name, parentId, traceId])).toEqual([
    ["read", request, TRACE],
    ["check", request, TRACE],
    ["hold", request, TRACE],
    ["engine", request, TRACE],
    ["capture", request, TRACE],
    ["POST /v1/decisions", PARENT, TRACE],
  ])
  expect(engineGot()).toBe(`00-${TRACE}-${idOf("engine")}-01`)
  expect(collector.headers[0]).toMatchObject({ "x-tenant": "ada", "content-type": "application/x-protobuf" })
  expect(Buffer.concat(collector.bodies).toString("latin1")).toContain("decide-eu")
})

it("the log line of a request without a traceparent has its trace's id", async () => {
  const collector = await startCollector()
  const tracing = await trace({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces` })
  const info = vi.spyOn(runtime().log, "info")
  await service.decide(token, BODY)
  await expect.poll(() => info.mock.calls.length).toBeGreaterThan(0)
  await tracing.close()
  expect(info.mock.calls[0]?.[1]?.traceId).toBe(collector.spans()[0]?.traceId)
  info.mockRestore()
})

it("a trace that its client does not record is not exported, and the engine learns so", async () => {
  const collector = await startCollector()
  const tracing = await trace({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
  await service.decide(token, BODY, traceparent("00"))
  await tracing.close()
  expect(collector.bodies).toEqual([])
  expect(engineGot()).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`))
})

it("OTEL_TRACES_SAMPLER decides which requests are recorded", async () => {
  const collector = await startCollector()
  const tracing = await trace({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER: "always_off" })
  await service.decide(token, BODY, traceparent("01"))
  await tracing.close()
  expect(collector.bodies).toEqual([])
})

it("a collector that never responds fails no request, and at most OTEL_BSP_MAX_QUEUE_SIZE spans wait for it", async () => {
  const collector = await startCollector({ silent: true })
  const tracing = await trace({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_MAX_QUEUE_SIZE: "12",
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "6",
  })
  for (let i = 0; i < 10; i++) expect((await service.decide(token, BODY)).status).toBe(200)
  const startedAt = performance.now()
  await tracing.close()
  // The exporter itself would wait for ten seconds.
  expect(performance.now() - startedAt).toBeLessThan(8_000)
  // One batch was under way, and two were waiting. The other 42 spans were dropped.
  await expect.poll(() => collector.spans()).toHaveLength(18)
})

it("a collector that is down fails no request and is logged once", async () => {
  const warn = vi.spyOn(runtime().log, "warn")
  const tracing = await trace({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
    OTEL_EXPORTER_OTLP_TIMEOUT: "200",
    OTEL_BSP_SCHEDULE_DELAY: "1",
  })
  const logged = () => warn.mock.calls.filter(([, fields]) => fields?.event === "tracing.export_failed").length
  expect((await service.decide(token, BODY)).status).toBe(200)
  await vi.waitFor(() => expect(logged()).toBe(1), 120_000)
  expect((await service.decide(token, BODY)).status).toBe(200)
  await tracing.close()
  expect(logged()).toBe(1)
  warn.mockRestore()
})

it("a server loads the libraries of OpenTelemetry only when a collector is set", async () => {
  const { databaseUrl } = await testRuntime()
  const report = `import { _cache } from "node:module"
    process.on("exit", () => console.log("loaded", Object.keys(_cache).filter((file) => /@opentelemetry.(?!api.)/.test(file)).length))`
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(report)}`
  const loaded = async (settings: Record<string, string>) => {
    const server = await startServer(databaseUrl, { NODE_OPTIONS, ...settings })
    server.signal("SIGTERM")
    await server.ended
    return Number(/^loaded (\d+)$/m.exec(server.written())?.[1])
  }
  expect(await loaded({})).toBe(0)
  expect(await loaded({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9", OTEL_SDK_DISABLED: "true" })).toBe(0)
  expect(await loaded({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" })).toBeGreaterThan(10)
})
