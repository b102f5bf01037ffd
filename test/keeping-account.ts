import { capture, placeHold } from "@/lib/server/ledger/hold"
import { postEntry } from "@/lib/server/ledger/post-entry"
import { keepOutcomes } from "@/lib/server/outcomes/keep-outcomes"
import type { UserActor } from "@/lib/server/platform/actor"
import { newId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { insertKey } from "./insert-rows"
import { signUp } from "./sign-up"

interface KeepingAccount {
  /** The owner. */
  actor: UserActor
  /** Charges a request with two yes/no questions to the model. Returns its id, `req_…`. */
  ask(): Promise<string>
}

/** Signs up an account that keeps outcomes, whose requests go to a model that exists. */
export async function keepingAccount(modelId = "m"): Promise<KeepingAccount> {
  const actor = await signUp()
  const { accountId } = actor
  await postEntry(runtime().pool, { accountId, kind: "credit", amountPico: pico(1_000_000_000_000n), source: newId() })
  const { keyId } = await insertKey(accountId)
  await keepOutcomes(runtime(), actor, { isOn: true })
  const ask = async () => {
    const id = newId()
    await placeHold(runtime(), { id, actor: { accountId, keyId }, modelId, pricePico: pico(1), maxTokens: 10 })
    await capture(runtime(), { id, accountId }, { tokens: 5, latencyMs: 1, questionCounts: { noul: 2 } })
    return publicId("req", id)
  }
  return { actor, ask }
}
