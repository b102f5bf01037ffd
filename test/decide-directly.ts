import { vi } from "vitest"
import { type Decision, type DecisionCall, decide } from "@/lib/server/decisions/decide"
import type { Payer } from "@/lib/server/platform/actor"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS } from "@/lib/shared/models/model-ids"

export const ONE_NOUL = { model: ALIAS, state: "s", questions: { q: { type: "noul", instructions: "i" } } }

/** Decides one noul without the HTTP edge. The test passes the abort signal. The caller may decide unless `authorize` throws. */
export const decideAs = (
  actor: Payer,
  signal: AbortSignal,
  call: Partial<Pick<DecisionCall, "authorize" | "idempotencyKey" | "keyTags">> = {},
): Promise<Decision> =>
  decide(runtime(), {
    requestId: newId(),
    actor,
    window: { limit: 10, used: 1, remaining: 9, resetSeconds: 1, exceeded: false },
    body: Buffer.from(JSON.stringify(ONE_NOUL)),
    mediaFault: null,
    startedAt: performance.now(),
    authorize: () => undefined,
    signal,
    onModel: () => {},
    onCharge: () => {},
    ...call,
  })

/** Calls `on` for each `pool.query` with the statement's name and a function that runs it, until `vi.restoreAllMocks`. */
export function interceptPool(on: (name: string | undefined, run: () => Promise<unknown>) => Promise<unknown>): void {
  const { pool } = runtime()
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>
  vi.spyOn(pool, "query").mockImplementation(((...args: unknown[]) => {
    const [config] = args as [{ name?: string }]
    return on(config.name, () => query(...args))
  }) as unknown as typeof pool.query)
}
