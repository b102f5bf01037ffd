import pg from "pg"

interface Plan {
  "Node Type": string
  "Relation Name"?: string
  "Actual Rows"?: number
  "Actual Loops"?: number
  "Rows Removed by Filter"?: number
  "Shared Hit Blocks"?: number
  "Shared Read Blocks"?: number
  Plans?: Plan[]
}

export interface Explained {
  /** Pages of 8 KiB that all statements touched. */
  buffers: number
  /** Rows of the big tables that the statements read. */
  bigRows: number
  /** The big tables that were read sequentially. */
  sequential: string[]
}

const BIG = ["ledger_entry", "request_event", "hold", "usage_sum", "usage_error"]

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

function addPlan(found: Explained, plan: Plan): void {
  found.buffers += (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0)
  for (const node of nodesOf(plan)) {
    const table = node["Relation Name"] ?? ""
    if (!BIG.includes(table)) continue
    found.bigRows += ((node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0)) * (node["Actual Loops"] ?? 1)
    if (node["Node Type"] === "Seq Scan") found.sequential.push(table)
  }
}

/** Runs `work` once. Explains each of its SELECTs with parameters on the same connection, with its settings and snapshot. */
export async function explainQueries(work: () => Promise<unknown>): Promise<Explained> {
  const found: Explained = { buffers: 0, bigRows: 0, sequential: [] }
  const prototype = pg.Client.prototype
  const query = prototype.query as (this: pg.Client, ...given: unknown[]) => unknown
  const explained = async function (this: pg.Client, text: unknown, values: unknown): Promise<unknown> {
    if (typeof text === "string" && Array.isArray(values) && /^\s*(SELECT|WITH)/.test(text)) {
      const answer = (await query.call(
        this,
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
        values,
      )) as pg.QueryResult
      addPlan(found, answer.rows[0]["QUERY PLAN"][0].Plan)
    }
    return query.call(this, text, values)
  }
  // The pool passes a callback; transactions await a promise.
  prototype.query = function (this: pg.Client, ...given: unknown[]): unknown {
    const done = given.at(-1)
    if (typeof done !== "function") return explained.call(this, given[0], given[1])
    explained.call(this, given[0], given.length > 2 ? given[1] : undefined).then(
      (result) => done(null, result),
      (error) => done(error),
    )
    return undefined
  } as typeof prototype.query
  try {
    await work()
  } finally {
    prototype.query = query as typeof prototype.query
  }
  return found
}
