import type { Pool } from "pg"

/** Whether a part of the service worked when a process checked it. */
export interface Sample {
  /** `api`, `console`, `database`, `mail`, `payments`, or `engine:` and a pinned model. */
  component: string
  works: boolean
  at: Date
}

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    status: StatusLog
  }
}

/** About 22 hours of samples of a service with ten models. */
const MAX_WAITING = 20_000

// Ordered, so that processes which write at the same time lock the rows in one order.
const ADD = `
  INSERT INTO status_sum (component, unit, start, samples, failures)
  SELECT component, unit, date_trunc(unit, at, 'UTC') AS start, count(*), count(*) FILTER (WHERE NOT works)
  FROM unnest($1::text[], $2::boolean[], $3::timestamptz[]) AS sample(component, works, at),
    (VALUES ('minute'), ('day')) AS of(unit)
  GROUP BY component, unit, start ORDER BY unit, start, component
  ON CONFLICT (unit, start, component) DO UPDATE SET
    samples = status_sum.samples + excluded.samples, failures = status_sum.failures + excluded.failures`

/** The samples of this process that are not stored yet. Those taken while the database is down are stored when it is back. */
export class StatusLog {
  #waiting: Sample[] = []

  constructor(private readonly pool: Pool) {}

  /** Adds samples to the sums by minute and day. When that fails, they wait for the next call, up to 20,000 of them. */
  async write(samples: Sample[]): Promise<void> {
    const batch = [...this.#waiting, ...samples].slice(-MAX_WAITING)
    this.#waiting = []
    try {
      const columns = [
        batch.map(({ component }) => component),
        batch.map(({ works }) => works),
        batch.map(({ at }) => at),
      ]
      await this.pool.query(ADD, columns)
    } catch (error) {
      this.#waiting = batch
      throw error
    }
  }
}
