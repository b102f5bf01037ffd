import { expect, vi } from "vitest"
import { runtime } from "@/lib/server/platform/runtime"

/** Resolves when every engine is available. `ready` waits for 2 s at most, in which a busy machine may not have ended the probes. */
export const enginesAvailable = (): Promise<void> =>
  vi.waitFor(() => expect(runtime().engines.degraded()).toBe(false), { timeout: 30_000 })
