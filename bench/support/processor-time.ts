import { readFile } from "node:fs/promises"
import type { Pool } from "pg"
import { runtime } from "@/lib/server/platform/runtime"
import { median } from "./load"

export type Work = () => Promise<unknown>

/** Returns nanoseconds that each of this database's connections has spent on a processor, by process id. */
async function processorTimes(pool: Pool): Promise<Map<number, number>> {
  const { rows } = await pool.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'",
  )
  const times = rows.map(
    async ({ pid }): Promise<[number, number]> => [
      pid,
      Number((await readFile(`/proc/${pid}/schedstat`, "utf8").catch(() => "0")).split(" ")[0]),
    ],
  )
  return new Map(await Promise.all(times))
}

/** Returns ms of processor time that the work takes in the database. A connection that closes during the work was idle and is not counted. */
async function timed(pool: Pool, work: Work): Promise<number> {
  const before = await processorTimes(pool)
  await work()
  const after = await processorTimes(pool)
  return [...after].reduce((sum, [pid, ns]) => sum + ns - (before.get(pid) ?? 0), 0) / 1e6
}

interface CostOptions {
  /** How many runs one call of the work makes. */
  runs?: number
  prepare?: Work
}

export interface Figure {
  /** A time in ms, or a number of pages or bytes. */
  value: number
  /** For a time: its ratio to the time of the catalog statement in the same round. */
  relative?: number
}

const CATALOG = "SELECT count(*) FROM information_schema.columns WHERE table_name = 'account'"

/** Returns the processor time of a statement that costs the same in every database, in ms. */
async function readCatalog(pool: Pool): Promise<number> {
  const read = async () => {
    for (let i = 0; i < 20; i++) await pool.query(CATALOG)
  }
  return (await timed(pool, read)) / 20
}

/** Returns the median processor time of one run, after a warm-up. What `prepare` does before each run is not counted. */
export async function costOf(
  work: Work,
  rounds: number,
  { runs = 1, prepare = async () => {} }: CostOptions = {},
): Promise<Figure> {
  const { pool } = runtime()
  await prepare()
  await work()
  await readCatalog(pool)
  const costs: number[] = []
  const relative: number[] = []
  for (let round = 0; round < rounds; round++) {
    await prepare()
    const paceBefore = await readCatalog(pool)
    const cost = (await timed(pool, work)) / runs
    const paceAfter = await readCatalog(pool)
    costs.push(cost)
    relative.push((2 * cost) / (paceBefore + paceAfter))
  }
  return { value: median(costs), relative: median(relative) }
}
