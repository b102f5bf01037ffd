import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import type { Context, Span as OtelSpan, SpanContext, Tracer } from "@opentelemetry/api"
import type { SpanExporter } from "@opentelemetry/sdk-trace-base"
import type { Env } from "./env"
import type { Log } from "./log"
import { outboundAgent } from "./outbound"
import type { Span, SpanFacts, Tracing } from "./tracing"

const CLOSE_MS = 2_000

type Api = typeof import("@opentelemetry/api")

/**
 * Loads OpenTelemetry and returns the tracing of this process, or null without loading anything when no collector is set. The
 * libraries read the other `OTEL_` settings themselves. Spans wait in a bounded queue; when it is full, new ones are dropped.
 */
export async function openTracing(env: Env, log: Log): Promise<Tracing | null> {
  if (!env.isTracing) return null
  // Named here and not above, because the bundler hoists static imports into every start.
  const [api, sdk, otlp, resources] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/sdk-trace-base"),
    import("@opentelemetry/exporter-trace-otlp-proto"),
    import("@opentelemetry/resources"),
  ])
  const agent = outboundAgent(env, env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_ENDPOINT ?? "")
  const exporter = new otlp.OTLPTraceExporter(agent ? { httpAgentOptions: () => agent } : {})
  const own = { "service.name": "decision-service", "service.instance.id": randomUUID() }
  const detected = resources.detectResources({ detectors: [resources.envDetector] })
  const provider = new sdk.BasicTracerProvider({
    resource: resources.resourceFromAttributes(own).merge(detected),
    spanProcessors: [new sdk.BatchSpanProcessor(logOutages(exporter, log))],
  })
  const tracer = provider.getTracer("decision-service")
  return {
    startRequest(method, route, parent) {
      const context = parent ? api.trace.setSpanContext(api.ROOT_CONTEXT, { ...parent, isRemote: true }) : undefined
      const attributes = { "http.request.method": method, "http.route": route }
      const options = { kind: api.SpanKind.SERVER, attributes }
      return new RecordedSpan(api, tracer, tracer.startSpan(`${method} ${route}`, options, context ?? api.ROOT_CONTEXT))
    },
    close: () => Promise.race([provider.shutdown().catch(() => {}), sleep(CLOSE_MS, undefined, { ref: false })]),
  }
}

class RecordedSpan implements Span {
  readonly #at: SpanContext

  constructor(
    private readonly api: Api,
    private readonly tracer: Tracer,
    private readonly span: OtelSpan,
  ) {
    this.#at = span.spanContext()
  }

  get traceId(): string {
    return this.#at.traceId
  }

  get traceparent(): string {
    return `00-${this.#at.traceId}-${this.#at.spanId}-0${this.#at.traceFlags & 1}`
  }

  startChild(name: string): Span {
    const inside: Context = this.api.trace.setSpan(this.api.ROOT_CONTEXT, this.span)
    return new RecordedSpan(this.api, this.tracer, this.tracer.startSpan(name, {}, inside))
  }

  end({ status, code, failed, requestId, model, tokens }: SpanFacts): void {
    const { span, api } = this
    if (status !== undefined) span.setAttribute("http.response.status_code", status)
    if (requestId) span.setAttribute("svc.request_id", requestId)
    if (model) span.setAttribute("svc.model", model)
    if (tokens !== undefined) span.setAttribute("svc.input_tokens", tokens)
    if (code !== "ok") span.setAttribute("error.type", code)
    if (failed) span.setStatus({ code: api.SpanStatusCode.ERROR })
    span.end()
  }
}

/** Logs when the collector stops accepting spans, and when it accepts them again. */
function logOutages(exporter: SpanExporter, log: Log): SpanExporter {
  let isDown = false
  return {
    export(spans, onResult) {
      exporter.export(spans, (result) => {
        const failed = result.code !== 0
        if (failed && !isDown)
          log.warn("Spans could not be sent", { event: "tracing.export_failed", cause: result.error })
        if (!failed && isDown) log.info("Spans are sent again", { event: "tracing.export_restored" })
        isDown = failed
        onResult(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}
