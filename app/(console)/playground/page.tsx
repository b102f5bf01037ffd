import type { Metadata } from "next"
import { requireSession } from "@/lib/auth/session"
import { listKeys } from "@/lib/keys/list-keys"
import type { ModelEntry } from "@/lib/models/catalogue"
import { LEXICAL_BASELINE } from "@/lib/models/ids"
import type { ModelChoice } from "@/lib/playground/model-choice"
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
  }
}

export default async function PlaygroundPage() {
  const actor = await requireSession("/playground")
  const keys = await listKeys(actor)
  const active = keys.filter((key) => key.kind === "secret" && key.status === "active")
  const models = runtime()
    .catalogue.list()
    .filter((entry) => entry.status === "active")
  return (
    <Playground
      accountId={actor.accountId}
      models={models.map(modelChoice)}
      keys={active.map(({ id, name, masked }) => ({ id, name, masked: masked ?? "" }))}
    />
  )
}
