import { getAccount } from "@/lib/server/accounts/get-account"
import { getBalance } from "@/lib/server/billing/balance"
import { listModelsFor } from "@/lib/server/decisions/admit-model"
import { listKeys } from "@/lib/server/keys/read-keys"
import { getStay } from "@/lib/server/models/alias-stays"
import type { ModelEntry } from "@/lib/server/models/catalogue"
import { cautionOf } from "@/lib/server/models/caution"
import { hasRight, type UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import type { KeySummary } from "@/lib/shared/keys/schema"
import type { KeyChoice, ModelChoice, RunAccount } from "@/lib/shared/runs/model-choice"

const modelChoice = (entry: ModelEntry): ModelChoice => {
  const pinnedId = entry.target_model ?? entry.id
  return {
    id: entry.id,
    pinnedId,
    pricePerMillionUsd: entry.price_per_million_input_tokens_usd,
    caution: cautionOf(runtime().catalogue.find(pinnedId)),
    isAvailable: runtime().engines.availability(pinnedId).available,
    limits: { maxQuestions: entry.max_questions, maxOptions: entry.max_options, maxLevels: entry.max_levels },
  }
}

const keyChoice = ({ id, name, masked, limitUsd, period, spentUsd, resetsAt }: KeySummary): KeyChoice => {
  return { id, name, masked: masked ?? "", limitUsd, period, spentUsd, resetsAt }
}

const canSpend = ({ kind, status }: KeySummary): boolean =>
  kind === "secret" && (status === "active" || status === "limit_reached")

/** Returns the account's balance, rate limits, active models, and secret keys that are active or at their limit. */
export async function readRunAccount(actor: UserActor): Promise<RunAccount> {
  const [keys, account, balance, { stay }] = await Promise.all([
    listKeys(runtime(), actor),
    getAccount(runtime(), actor),
    getBalance(runtime(), actor),
    getStay(runtime(), actor),
  ])
  const { env } = runtime()
  return {
    accountId: actor.accountId,
    email: actor.email,
    baseUrl: env.BASE_URL,
    balanceUsd: balance.balanceUsd,
    mayPay: hasRight(actor, "billing.pay"),
    rates: {
      perAccount: account.requestsPerSecond,
      perKey: account.requestsPerSecondPerKey,
      evaluate: env.EVALUATE_RATE,
    },
    models: listModelsFor(runtime(), stay?.model ?? null)
      .filter(({ status }) => status === "active")
      .map(modelChoice),
    keys: keys.filter(canSpend).map(keyChoice),
  }
}
