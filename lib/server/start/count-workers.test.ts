import { availableParallelism } from "node:os"
import { beforeAll, describe, expect, it } from "vitest"
import { readEnv } from "@/lib/server/platform/env"
import { testRuntime } from "@/test/database"
import { countWorkers } from "./count-workers"

const { pool, databaseUrl } = await testRuntime()

const count = (settings: Record<string, string>) => countWorkers(readEnv(settings), pool)

describe("the number of processes that serve the API", () => {
  let connections: number
  beforeAll(async () => {
    const { rows } = await pool.query("SELECT current_setting('max_connections')::int - 3 AS n")
    connections = rows[0].n
  })

  it("is one by default and while developing", async () => {
    expect(await count({})).toBe(1)
    expect(await count({ API_WORKERS: "4", NODE_ENV: "development" })).toBe(1)
  })

  it("is what was set, when their pools and those of supervisor and console fit into PostgreSQL", async () => {
    const three = String(Math.floor(connections / 5))
    expect(await count({ API_WORKERS: "3", DATABASE_POOL: three })).toBe(3)
    await expect(count({ API_WORKERS: "4", DATABASE_POOL: three })).rejects.toThrow(
      `API_WORKERS=4 needs up to ${6 * Number(three)} connections, ${three} (DATABASE_POOL) for each of 6 processes, more than PostgreSQL allows. Lower one of the two or raise max_connections`,
    )
    const api = { SERVE: "api", DATABASE_URL: databaseUrl, API_WORKERS: "4", DATABASE_POOL: three }
    expect(await count(api)).toBe(4)
  })

  it("is not limited behind a pooler", async () => {
    const pooled = { DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: databaseUrl, API_WORKERS: "64" }
    expect(await count(pooled)).toBe(64)
  })

  it("is that of the processors with auto, as far as there are connections", async () => {
    expect(await count({ API_WORKERS: "auto", DATABASE_POOL: "2" })).toBe(Math.min(availableParallelism(), 64))
    expect(await count({ API_WORKERS: "auto", DATABASE_POOL: String(connections) })).toBe(1)
  })
})
