import type { Metadata } from "next"
import { getAccount } from "@/lib/accounts/get-account"
import { requireSession } from "@/lib/auth/session"
import { getBalance } from "@/lib/billing/get-balance"
import { listKeys } from "@/lib/keys/list-keys"
import type { KeySummary } from "@/lib/keys/schema"
import type { ModelEntry } from "@/lib/models/catalogue"
import { LEXICAL_BASELINE } from "@/lib/models/ids"
import type { KeyChoice, ModelChoice } from "@/lib/playground/model-choice"
import { runtime } from "@/lib/runtime"
import { Playground } from "./_components/playground"

export const metadata: Metadata = { title: "Playground" }

const modelChoice = (entry: ModelEntry): ModelChoice => {
  const pinnedId = entry.target_model ?? entry.id
  return {
    id: entry.id,
    pinnedId,
    pricePerMillionUsd: entry.price_per_million_input_tokens_usd,
    isBaseline: pinnedId === LEXICAL_BASELINE,
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
