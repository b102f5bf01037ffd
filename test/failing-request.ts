import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { retireModel } from "@/lib/server/models/retire-model"
import { setLimits } from "@/lib/server/models/set-model"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { type Fault, type LlamaCppDouble, startLlamaCpp } from "./doubles/llama-cpp"
import { insertEngineModel, insertKey, insertPayer } from "./insert-rows"
import { moneyOf } from "./ledger-state"
import type { TestService } from "./service"

const SOUND = {
  isUnknown: false,
  isRetired: false,
  isDown: false,
  stateBytes: 10,
  questions: 1,
  hasUnknownField: false,
  keyIsExpired: false,
  keyLimitPico: undefined as bigint | undefined,
  balancePico: 1_000_000_000_000n,
  windowIsUsedUp: false,
  fault: null as Fault | null,
}
export type Draft = typeof SOUND

export const OWN_BODY_LIMIT = 2_000
const MODELS = { good: "svc-good-1", retired: "svc-retired-1", down: "svc-down-1", retiredDown: "svc-retired-down-1" }

export interface Engines {
  good: LlamaCppDouble
  /** Runs another build than its models are pinned to, so it is always unavailable. */
  down: LlamaCppDouble
}

/** Starts two engines with two models each, one of them retired. Models take 2 questions and 2,000 bytes. */
export async function startEngines(): Promise<Engines> {
  const engines = { good: await startLlamaCpp(), down: await startLlamaCpp() }
  for (const [name, id] of Object.entries(MODELS)) {
    const { url } = name === "good" || name === "retired" ? engines.good : engines.down
    await insertEngineModel(id, url, { maxQuestions: 2 })
    await setLimits(runtime(), OPERATOR, { id, maxBodyBytes: OWN_BODY_LIMIT })
  }
  await runtime().pool.query("UPDATE model SET engine_build = 'another' WHERE id = ANY($1)", [
    [MODELS.down, MODELS.retiredDown],
  ])
  await retireModel(runtime(), OPERATOR, { id: MODELS.retired, replacementId: MODELS.good })
  await retireModel(runtime(), OPERATOR, { id: MODELS.retiredDown, replacementId: null })
  await loadCatalogue(runtime())
  await runtime().engines.ready()
  return engines
}

function modelOf({ isUnknown, isRetired, isDown }: Draft): string {
  if (isUnknown) return "svc-no-such-1"
  if (isRetired) return isDown ? MODELS.retiredDown : MODELS.retired
  return isDown ? MODELS.down : MODELS.good
}

function bodyOf(made: Draft): Buffer {
  const question = { type: "noul", instructions: "Is it?" }
  const questions = Object.fromEntries(Array.from({ length: made.questions }, (_, i) => [`q${i}`, question]))
  const more = made.hasUnknownField ? { temperature: 0 } : {}
  return Buffer.from(JSON.stringify({ model: modelOf(made), state: "x".repeat(made.stateBytes), questions, ...more }))
}

/** Creates the draft's account and key. Another key of the account exhausts the rate limit if the draft says so. */
async function keyOf(made: Draft): Promise<{ accountId: string; token: string }> {
  const { balancePico, keyLimitPico: limitPico } = made
  const expiresAt = made.keyIsExpired ? new Date(Date.now() - 1_000) : undefined
  const { accountId, token } = await insertPayer({ balancePico, limitPico, expiresAt })
  if (!made.windowIsUsedUp) return { accountId, token }
  const sibling = await insertKey(accountId)
  const rates = { key: 20, account: 20 }
  for (let i = 0; i < rates.account; i++) await runtime().rates.count({ accountId, keyId: sibling.keyId }, rates)
  return { accountId, token }
}

/** Sends a request with all of these failures. Returns the response, the number of engine calls, and the cost with what is still held. */
export async function sendFailing(service: TestService, engines: Engines, changes: Partial<Draft>[]) {
  const made: Draft = Object.assign({}, SOUND, ...changes)
  const { accountId, token } = await keyOf(made)
  const asked = () =>
    [engines.good, engines.down].flatMap(({ requests }) =>
      requests.filter(({ path, body }) => path === "/v1/systemone" && !body.includes('"state":"ping"')),
    ).length
  const before = asked()
  for (const engine of [engines.good, engines.down]) engine.fault = made.fault
  try {
    const response = await service.decide(token, bodyOf(made))
    const { balance, held } = await moneyOf(accountId)
    const costPico = made.balancePico - balance + held
    return { response, engineCalls: asked() - before, costPico }
  } finally {
    for (const engine of [engines.good, engines.down]) engine.fault = null
  }
}
