import pg from "pg"

interface Plan {
  "Shared Hit Blocks"?: number
  "Shared Read Blocks"?: number
}

/**
 * Runs `work` once. Explains each of its SELECTs with parameters on the same connection, with its settings and snapshot. Returns
 * how many pages of 8 KiB they touched.
 */
export async function pagesOfQueries(work: () => Promise<unknown>): Promise<number> {
  let pages = 0
  const prototype = pg.Client.prototype
  const query = prototype.query as (this: pg.Client, ...given: unknown[]) => unknown
  const explained = async function (this: pg.Client, text: unknown, values: unknown): Promise<unknown> {
    if (typeof text === "string" && Array.isArray(values) && /^\s*(SELECT|WITH)/.test(text)) {
      const answer = (await query.call(
        this,
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
        values,
      )) as pg.QueryResult
      const plan: Plan = answer.rows[0]["QUERY PLAN"][0].Plan
      pages += (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0)
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
  return pages
}
