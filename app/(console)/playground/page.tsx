import type { Metadata } from "next"
import { getAccount } from "@/lib/server/accounts/get-account"
import { requireSession } from "@/lib/server/auth/session"
import { getBalance } from "@/lib/server/billing/balance"
import { listKeys } from "@/lib/server/keys/read-keys"
import type { ModelEntry } from "@/lib/server/models/catalogue"
import { cautionOf } from "@/lib/server/models/caution"
import { runtime } from "@/lib/server/platform/runtime"
import type { KeySummary } from "@/lib/shared/keys/schema"
import type { KeyChoice, ModelChoice } from "@/lib/shared/runs/model-choice"
import { Playground } from "./playground"

export const metadata: Metadata = { title: "Playground" }

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

export default async function PlaygroundPage() {
  const actor = await requireSession("/playground")
  const [keys, account, balance] = await Promise.all([listKeys(actor), getAccount(actor), getBalance(actor)])
  const { catalogue, env } = runtime()
  return (
    <Playground
      accountId={actor.accountId}
      baseUrl={env.BASE_URL}
      balanceUsd={balance.balanceUsd}
      rates={{ perAccount: account.requestsPerSecond, perKey: account.requestsPerSecondPerKey }}
      models={catalogue
        .list()
        .filter(({ status }) => status === "active")
        .map(modelChoice)}
      keys={keys.filter(canSpend).map(keyChoice)}
    />
  )
}
