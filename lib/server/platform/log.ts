import pino from "pino"
import { LineWriter } from "./line-writer"

/** The only fields that a log line may carry. None of them holds what a user sent. */
export interface LogFields {
  /** A stable name for alerts, such as `redis.unreachable`. */
  event?: string
  requestId?: string
  /** The trace id of the request's `traceparent`, 32 hexadecimal digits. */
  traceId?: string
  method?: string
  route?: string
  status?: number
  code?: string
  latencyMs?: number
  accountId?: string
  keyId?: string
  /** Keyed hashes of an e-mail address and of a client's address. */
  emailHash?: string
  clientHash?: string
  model?: string
  /** An engine's address, without a path or credentials. */
  engine?: string
  tokens?: number
  count?: number
  reason?: string
  cause?: unknown
}

export interface Log {
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

const FIELDS = [
  "event",
  "requestId",
  "traceId",
  "method",
  "route",
  "status",
  "code",
  "latencyMs",
  "accountId",
  "keyId",
  "emailHash",
  "clientHash",
  "model",
  "engine",
  "tokens",
  "count",
  "reason",
] as const

/** Keeps only an error's name, code, hash and place. Its message can quote what a user sent, such as a query's parameters. */
function causeOf(cause: unknown): Record<string, unknown> {
  if (!(cause instanceof Error)) return {}
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : undefined
  return { cause: { name: cause.name, code, reference: referenceOf(cause), place: placeOf(cause) } }
}

/** Returns the error's hash, which a failed page shows to its user. Next's other digests can contain an address and are ignored. */
function referenceOf(cause: Error): string | undefined {
  const digest = "digest" in cause ? cause.digest : undefined
  return typeof digest === "string" && /^\d{1,20}$/.test(digest) ? digest : undefined
}

/** Returns the stack's first six frames. Removes the message first, because its lines could look like frames. */
function placeOf({ message, stack = "" }: Error): string[] | undefined {
  const start = stack.indexOf(message)
  if (start === -1) return undefined
  return stack
    .slice(start + message.length)
    .split("\n")
    .filter((line) => line.startsWith("    at "))
    .slice(0, 6)
    .map((line) => line.trim())
}

function allowed(fields: LogFields): Record<string, unknown> {
  const line: Record<string, unknown> = fields.cause === undefined ? {} : causeOf(fields.cause)
  for (const name of FIELDS) if (fields[name] !== undefined) line[name] = fields[name]
  return line
}

/** Returns the line that reports lines that the log lost. */
function reportOf(options: pino.LoggerOptions, count: number): string {
  let report = ""
  const destination = {
    write: (line: string) => {
      report = line
    },
  }
  pino(options, destination).error({ event: "log.lines_dropped", count }, "Lines of this log could not be written")
  return report
}

/** Where the logs of this process go. */
export const standardError = new LineWriter(2)

/**
 * Creates a log that writes one JSON line per call, to standard error by default. It drops fields that are not in `FIELDS`. Lines
 * of an API worker carry its number. A `LineWriter` reports the lines that it dropped by a line of this log.
 */
export function createLog(
  level: string,
  destination: pino.DestinationStream = standardError,
  worker?: number | null,
): Log {
  const base = worker == null ? undefined : { worker }
  const options: pino.LoggerOptions = { level, base, timestamp: pino.stdTimeFunctions.isoTime }
  const logger = pino(options, destination)
  if (destination instanceof LineWriter) destination.makeReport = (dropped) => reportOf(options, dropped)
  return {
    info: (message, fields = {}) => logger.info(allowed(fields), message),
    warn: (message, fields = {}) => logger.warn(allowed(fields), message),
    error: (message, fields = {}) => logger.error(allowed(fields), message),
  }
}
