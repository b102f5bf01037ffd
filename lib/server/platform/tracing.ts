import { AsyncLocalStorage } from "node:async_hooks"
import { ServiceError } from "@/lib/shared/errors"
import type { Traceparent } from "./traceparent"

/** What a span may carry. As in the log, none of it holds what a user sent. */
export interface SpanFacts {
  status?: number
  /** "ok", or the code or the class of an error. */
  code: string
  /** True when the service failed, and false for a refusal. */
  failed?: boolean
  requestId?: string
  /** The pinned model. */
  model?: string
  /** Billed input tokens. */
  tokens?: number
}

/** A piece of work in a trace, from its creation to `end`. */
export interface Span {
  readonly traceId: string
  /** The header that makes another program's work a part of this span. */
  readonly traceparent: string
  startChild(name: string): Span
  end(facts: SpanFacts): void
}

/** Sends spans to the collector at `OTEL_EXPORTER_OTLP_ENDPOINT`. */
export interface Tracing {
  /** Starts the span of a request, within its client's span if `parent` is given. */
  startRequest(method: string, route: string, parent: Traceparent | undefined): Span
  /** Sends what is left, for at most two seconds. Never rejects. */
  close(): Promise<void>
}

/** The span of the running work. Stays unused without tracing, which then costs nothing. */
const current = new AsyncLocalStorage<Span>()

/** Runs `work` as part of `span`. */
export const inSpan = <T>(span: Span | undefined, work: () => T): T => (span ? current.run(span, work) : work())

/** Runs `work` as a child of the current span, if there is one. The span gets the code of an error that `work` throws. */
export function traced<T>(name: string, work: () => Promise<T>): Promise<T> {
  const parent = current.getStore()
  return parent ? inChildSpan(parent, name, work) : work()
}

async function inChildSpan<T>(parent: Span, name: string, work: () => Promise<T>): Promise<T> {
  const span = parent.startChild(name)
  try {
    const result = await current.run(span, work)
    span.end({ code: "ok" })
    return result
  } catch (error) {
    const refused = error instanceof ServiceError && error.status < 500
    span.end({ code: codeOf(error), failed: !refused })
    throw error
  }
}

const codeOf = (error: unknown): string =>
  error instanceof ServiceError ? error.code : error instanceof Error ? error.constructor.name : "error"

/** Returns the `traceparent` header for a call that the current work makes. Undefined without tracing. */
export const currentTraceparent = (): string | undefined => current.getStore()?.traceparent
