import { appendFileSync } from "node:fs"
import pg from "pg"

/**
 * Appends each distinct query of the product's data to the file named by RECORD_STATEMENTS, as one JSON text per line
 * (`last-release-statements.test.ts`). Tests that share a worker load this file several times, and it wraps `query` once.
 */
const file = process.env.RECORD_STATEMENTS ?? ""
const DATA = /^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)\b/i
const OWN = "record-statements"

/** Returns whether the caller is a file of the product. */
function isFromProduct(stack: string): boolean {
  const frames = stack.split("\n").slice(1)
  const caller = frames.find((frame) => !frame.includes("node_modules") && !frame.includes(OWN))
  return caller !== undefined && /\/(lib|app)\//.test(caller) && !caller.includes(".test.")
}

const worker = globalThis as { recordedStatements?: Set<string> }
if (file && !worker.recordedStatements) {
  const recorded = new Set<string>()
  worker.recordedStatements = recorded
  const prototype = pg.Client.prototype
  const query = prototype.query as (...given: unknown[]) => unknown
  prototype.query = function (this: pg.Client, ...given: unknown[]): unknown {
    const text = typeof given[0] === "string" ? given[0] : (given[0] as { text?: unknown } | undefined)?.text
    if (typeof text === "string" && DATA.test(text) && !recorded.has(text) && isFromProduct(new Error().stack ?? "")) {
      recorded.add(text)
      appendFileSync(file, `${JSON.stringify(text)}\n`)
    }
    return query.apply(this, given)
  } as typeof prototype.query
}
