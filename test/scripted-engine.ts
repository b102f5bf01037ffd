import { vi } from "vitest"
import type { Engine } from "@/lib/server/engines/engine"
import { EngineEntry } from "@/lib/server/engines/engine-entry"
import { EngineGroup } from "@/lib/server/engines/engine-group"
import { FairQueue } from "@/lib/server/engines/fair-queue"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { setPrice } from "@/lib/server/models/set-model"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import type { ServiceError } from "@/lib/shared/errors"
import { LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { LEXICAL } from "@/test/system-one-model"

export interface ScriptedEngine {
  /** The tokens that a request reserves and the tokens that it then uses, at $0.0001 each. */
  maxTokens: number
  usedTokens: number
  /** Thrown by the count, which then comes before the hold. */
  countFailure: ServiceError | null
  /** The number of requests at the engine, and the number aborted there. */
  working: number
  aborted: number
  /** Called for every request at the engine, which waits for the returned promise. */
  waitBeforeAnswer: () => Promise<void> | void
  /** The same for every count of used tokens. */
  waitBeforeCount: () => Promise<void> | void
}

/** How many requests the engine answers at once, and how many states of batches among them. */
export const PLACES = 16
export const BATCH_PLACES = 4

/**
 * Installs an engine for every model, whose token counts the test sets. By default a request for the alias reserves and costs $0.10. The
 * engine answers every request with one noul, so a request must ask exactly that.
 */
export async function scriptedEngine(): Promise<ScriptedEngine> {
  await setPrice(runtime(), OPERATOR, { id: LEXICAL_BASELINE, pricePico: pico(100_000_000n) })
  await loadCatalogue(runtime())
  const script: ScriptedEngine = {
    maxTokens: 1_000,
    usedTokens: 1_000,
    countFailure: null,
    working: 0,
    aborted: 0,
    waitBeforeAnswer: () => {},
    waitBeforeCount: () => {},
  }
  const answer: Engine["answer"] = async (_request, signal) => {
    script.working++
    try {
      await new Promise<void>((resolve, reject) => {
        signal.addEventListener("abort", () => {
          script.aborted++
          reject(signal.reason)
        })
        Promise.resolve(script.waitBeforeAnswer()).then(resolve, reject)
      })
    } finally {
      script.working--
    }
    return [{ type: "noul", yes: 0.5 }]
  }
  const engine: Engine = {
    maxTokens: () => (script.countFailure ? null : script.maxTokens),
    countTokens: async (_request, _signal, caller) => {
      await caller?.authorize?.()
      if (script.countFailure) throw script.countFailure
      await script.waitBeforeCount()
      return { state: script.usedTokens, questions: [] }
    },
    check: async () => {},
    answer,
    isAlive: async () => true,
    probe: async () => ({ available: true }),
    close: async () => {},
  }
  const entry = new EngineEntry(engine, new FairQueue(PLACES), null, new FairQueue(BATCH_PLACES))
  vi.spyOn(runtime().engines, "get").mockReturnValue(new EngineGroup(LEXICAL, () => entry))
  return script
}

export function gate(): { wait: () => Promise<void>; open: () => void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { wait: () => opened, open }
}
