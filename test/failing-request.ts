import { insertPinnedModel } from "@/lib/server/models/add-model"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { retireModel } from "@/lib/server/models/retire-model"
import { setLimits } from "@/lib/server/models/set-model"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { type Fault, type LlamaCppDouble, startLlamaCpp } from "./doubles/llama-cpp"
import { insertAccount, insertKey } from "./insert-rows"
import type { TestService } from "./service"

export interface Draft {
  model: "good" | "unknown"
  isRetired: boolean
  isDown: boolean
  stateBytes: number
  questions: number
  hasUnknownField: boolean
  keyIsExpired: boolean
  keyLimitPico: bigint | undefined
  balancePico: bigint
  windowIsUsedUp: boolean
  fault: Fault | null
}

const draft = (): Draft => ({
  model: "good",
  isRetired: false,
  isDown: false,
  stateBytes: 10,
  questions: 1,
  hasUnknownField: false,
  keyIsExpired: false,
  keyLimitPico: undefined,
  balancePico: 1_000_000_000_000n,
  windowIsUsedUp: false,
  fault: null,
})

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
    const model = {
      engineModel: null,
      pricePico: pico(20_000),
      tokenizer: "bytes-4",
      promptTemplate: null,
      maxQuestions: 2,
    }
    await insertPinnedModel(runtime().pool, { id, engine: "system-one", engineUrl: url, ...model })
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

function modelOf({ model, isRetired, isDown }: Draft): string {
  if (model === "unknown") return "svc-no-such-1"
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
  const { accountId } = await insertAccount(made.balancePico)
  const expiresAt = made.keyIsExpired ? new Date(Date.now() - 1_000) : undefined
  const limitPico = made.keyLimitPico
  const { token } = await insertKey(accountId, { ...(expiresAt && { expiresAt }), ...(limitPico && { limitPico }) })
  if (!made.windowIsUsedUp) return { accountId, token }
  const sibling = await insertKey(accountId)
  const rates = { key: 20, account: 20 }
  for (let i = 0; i < rates.account; i++) await runtime().rates.count({ accountId, keyId: sibling.keyId }, rates)
  return { accountId, token }
}

/** Sends a request with all of these failures. Returns the response, the number of engine calls, and the cost with what is still held. */
export async function sendFailing(service: TestService, engines: Engines, changes: ((made: Draft) => void)[]) {
  const made = draft()
  for (const change of changes) change(made)
  const { accountId, token } = await keyOf(made)
  const asked = () =>
    [engines.good, engines.down].flatMap(({ requests }) =>
      requests.filter(({ path, body }) => path === "/v1/systemone" && !body.includes('"state":"ping"')),
    ).length
  const before = asked()
  for (const engine of [engines.good, engines.down]) engine.fault = made.fault
  try {
    const response = await service.decide(token, bodyOf(made))
    const { rows } = await runtime().pool.query("SELECT balance_pico, held_pico FROM account WHERE id = $1", [
      accountId,
    ])
    const costPico = made.balancePico - BigInt(rows[0].balance_pico) + BigInt(rows[0].held_pico)
    return { response, engineCalls: asked() - before, costPico }
  } finally {
    for (const engine of [engines.good, engines.down]) engine.fault = null
  }
}
