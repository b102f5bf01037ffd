import { hostname } from "node:os"
import type { WriteFault } from "@/lib/server/ledger/write-check"
import type { Env } from "@/lib/server/platform/env"
import type { RedisState } from "@/lib/server/platform/gauges"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { JobRun } from "./job-runs"

/** What one server knows about itself. Other servers on the same database know the same about themselves only. */
export interface ProcessState {
  serves: Env["SERVE"]
  host: string
  pid: number
  /** ISO text. */
  startedAt: string
  node: string
  /** Why decisions cannot be charged now; else null. */
  fault: WriteFault | null
  engines: EngineState[]
  /** Null when no Redis is configured. */
  redis: RedisState | null
  connections: { open: number; idle: number; waiting: number; max: number }
  jobs: JobRun[]
}

export interface EngineState {
  model: string
  available: boolean
  reason: string | null
  /** Requests at the engine now, and how many may be there. */
  running: number
  limit: number
  /** Requests that wait for their turn. */
  waiting: number
}

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    /** Returns the state of the server that this process belongs to. Null for a command, which belongs to none. */
    readServer: () => Promise<ProcessState | null>
  }
}

/** Returns a server's own state, with the requests, connections and faults of its API workers. */
export function withWorkers(own: ProcessState, workers: ProcessState[]): ProcessState {
  const all = [own, ...workers]
  const sum = (read: (state: ProcessState) => number) => all.reduce((total, state) => total + read(state), 0)
  const inWorkers = (model: string, name: "running" | "limit" | "waiting") =>
    workers.reduce((total, { engines }) => total + (engines.find((one) => one.model === model)?.[name] ?? 0), 0)
  return {
    ...own,
    fault: all.find(({ fault }) => fault !== null)?.fault ?? null,
    engines: own.engines.map((engine) => ({
      ...engine,
      running: inWorkers(engine.model, "running"),
      limit: inWorkers(engine.model, "limit"),
      waiting: inWorkers(engine.model, "waiting"),
    })),
    connections: {
      open: sum(({ connections }) => connections.open),
      idle: sum(({ connections }) => connections.idle),
      waiting: sum(({ connections }) => connections.waiting),
      max: sum(({ connections }) => connections.max),
    },
  }
}

/** Reads the state of this process, which is a server. */
export async function readProcessState(runtime: Runtime): Promise<ProcessState> {
  const { env, engines, rates, pool, jobs, writes } = runtime
  const fault = await writes.findFault()
  return {
    serves: env.SERVE,
    host: hostname(),
    pid: process.pid,
    startedAt: new Date(Date.now() - process.uptime() * 1_000).toISOString(),
    node: process.version,
    fault,
    engines: engines.queues().map((queue) => ({ ...queue, ...engines.availability(queue.model) })),
    redis: rates.redis,
    connections: {
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      max: env.DATABASE_POOL,
    },
    jobs: jobs.list(),
  }
}
