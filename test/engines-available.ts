import { expect, vi } from "vitest"
import { runtime } from "@/lib/server/platform/runtime"

/** Resolves when every engine is available, within 30 s. `engines.ready` waits at most 2 s, which may be too short on a busy machine. */
export const enginesAvailable = (): Promise<void> =>
  vi.waitFor(() => expect(runtime().engines.degraded()).toBe(false), { timeout: 30_000 })
