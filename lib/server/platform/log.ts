import pino from "pino"

/** The only fields a log line may carry: nothing that a user sent is among them. */
export interface LogFields {
  requestId?: string
  method?: string
  route?: string
  status?: number
  code?: string
  latencyMs?: number
  accountId?: string
  keyId?: string
  model?: string
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
  "requestId",
  "method",
  "route",
  "status",
  "code",
  "latencyMs",
  "accountId",
  "keyId",
  "model",
  "tokens",
  "count",
  "reason",
] as const

/** A cause's own texts can hold what a user sent (a query's parameters, a parser's excerpt): only its kind and place are kept. */
function causeOf(cause: unknown): Record<string, unknown> {
  if (!(cause instanceof Error)) return {}
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : undefined
  return { cause: { name: cause.name, code, reference: referenceOf(cause), place: placeOf(cause) } }
}

/** What Next shows the user of a page that failed: a hash. Its digests of other kinds hold an address. */
function referenceOf(cause: Error): string | undefined {
  const digest = "digest" in cause ? cause.digest : undefined
  return typeof digest === "string" && /^\d{1,20}$/.test(digest) ? digest : undefined
}

/** The stack's frames. It begins with the message, whose own lines could look like frames: they are cut off first. */
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

/** A write per line would cost a request more than its check: lines wait for 4 KiB or 250 ms, and are written at exit. */
const standardError = () => pino.destination({ fd: 2, sync: false, minLength: 4_096, periodicFlush: 250 })

/** Structured logs, on standard error unless told where: one JSON line each, from the allow-list above. */
export function createLog(level: string, destination: pino.DestinationStream = standardError()): Log {
  const logger = pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, destination)
  return {
    info: (message, fields = {}) => logger.info(allowed(fields), message),
    warn: (message, fields = {}) => logger.warn(allowed(fields), message),
    error: (message, fields = {}) => logger.error(allowed(fields), message),
  }
}
