import { expect } from "vitest"
import { runtime } from "@/lib/server/platform/runtime"

/** Resolves when every engine is available. `ready` waits for 2 s at most, in which a busy machine may not have ended the probes. */
export const enginesAvailable = (): Promise<void> =>
  expect.poll(() => runtime().engines.degraded(), { timeout: 30_000 }).toBe(false)
