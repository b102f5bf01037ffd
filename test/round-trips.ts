import { vi } from "vitest"
import { runtime } from "@/lib/server/platform/runtime"

/** Counts the statements and connections that `work` takes from the pool. */
export async function roundTripsOf(work: () => Promise<unknown>): Promise<number> {
  const { pool } = runtime()
  const query = vi.spyOn(pool, "query")
  const connect = vi.spyOn(pool, "connect")
  await work()
  const trips = Math.max(query.mock.calls.length, connect.mock.calls.length)
  query.mockRestore()
  connect.mockRestore()
  return trips
}
