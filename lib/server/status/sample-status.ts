import type { Runtime } from "@/lib/server/platform/runtime"
import { DAY_MS } from "@/lib/shared/time"
import type { Sample } from "./status-log"

/** Minutes are kept for two days, because the last 24 hours are shown by hour. */
const MINUTES_KEPT_MS = 2 * DAY_MS

/** What other parts of this process know. Null when the process does not run the part, or does not know yet. */
export interface Known {
  console: boolean | null
  mail: boolean | null
  payments: boolean | null
}

/** Records which parts of the service work now, as this process sees them. Rejects when the database cannot store it yet. */
export async function sampleStatus(runtime: Runtime, known: Known, at = new Date()): Promise<void> {
  const { env, writes, catalogue, engines, status } = runtime
  const fault = await writes.findFault()
  const models = catalogue.pinned().filter((model) => model.status === "active" && model.engine !== null)
  const works: [component: string, works: boolean | null][] = [
    ["database", fault === null],
    ["api", env.SERVE === "console" ? null : fault === null && catalogue.fresh],
    ...Object.entries(known),
    ...models.map(({ id }): [string, boolean] => [`engine:${id}`, engines.availability(id).available]),
  ]
  const samples = works.flatMap(([component, isUp]): Sample[] =>
    isUp === null ? [] : [{ component, works: isUp, at }],
  )
  await status.write(samples)
}

/** Drops minutes that are older than two days, and days that are older than `STATUS_RETENTION_DAYS`. */
export async function dropOldStatus({ env, pool }: Runtime, now = new Date()): Promise<void> {
  const keptSince = (ms: number) => new Date(now.getTime() - ms)
  await pool.query("DELETE FROM status_sum WHERE (unit = 'minute' AND start < $1) OR (unit = 'day' AND start < $2)", [
    keptSince(MINUTES_KEPT_MS),
    keptSince((env.STATUS_RETENTION_DAYS + 1) * DAY_MS),
  ])
}
