import { modelName } from "@/lib/server/engines/model-file"
import { listAliasMoves } from "@/lib/server/models/alias"
import { getStay } from "@/lib/server/models/alias-stays"
import { cascadeText, smallestInputLimit } from "@/lib/server/models/cascade"
import { type CatalogueModel, type ModelEntry, tokenCounting } from "@/lib/server/models/catalogue"
import { cautionOf } from "@/lib/server/models/caution"
import { findPlannedMove } from "@/lib/server/models/plan-move"
import { hasRight, type UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { getTakingPart } from "@/lib/server/shadows/refuse-shadows"
import { findOwnShadow } from "@/lib/server/shadows/shadow-report"
import { type ModelUptime, readModelUptimes } from "@/lib/server/status/read-model-uptimes"
import { EXAMPLE_REQUEST } from "@/lib/shared/decisions/example-request"
import { ALIAS } from "@/lib/shared/models/model-ids"
import type { PricedModel } from "./calculator"

/** A model as the page shows it. An alias has the facts of its target. */
export interface ListedModel extends ModelEntry {
  isAvailable: boolean
  /** The name under which the engine serves it, without folders of the engine's machine. Null for an alias and the keyword rules. */
  served: string | null
  /** Which models a cascade asks, as a sentence. Null for every other model, and for an alias. */
  cascade: string | null
  /** The maximum input tokens of the state, one question and what the service adds; null without a limit. */
  inputLimit: number | null
  isExactCount: boolean
  /** Null without a sample in the last 24 hours. */
  uptime: ModelUptime | null
}

/** What to know about one active pinned model. */
interface Caution {
  id: string
  caution: string
}

/** A move of the alias between two models. */
export interface AliasChange {
  /** ISO text. */
  at: string
  from: ListedModel
  to: ListedModel
}

const servedOf = ({ kind }: ModelEntry, model: CatalogueModel | null): string | null =>
  kind === "pinned" && model?.engineModel && model.engine !== "lexical" ? modelName(model.engineModel) : null

function listedModels(uptimes: ReadonlyMap<string, ModelUptime>): ListedModel[] {
  const { catalogue, engines } = runtime()
  return catalogue.list().map((entry) => {
    const pinnedId = entry.target_model ?? entry.id
    const model = catalogue.resolve(entry.id)
    return {
      ...entry,
      served: servedOf(entry, model),
      isAvailable: engines.availability(pinnedId).available,
      cascade: entry.kind === "pinned" ? cascadeText(model) : null,
      inputLimit: model && smallestInputLimit(model),
      isExactCount: model !== null && tokenCounting(model) === "exact",
      uptime: uptimes.get(pinnedId) ?? null,
    }
  })
}

const MAX_CHANGES = 5

/** Returns the latest moves of the alias from one model to another; none while the database cannot be read. */
async function readChanges(listed: readonly ListedModel[]): Promise<AliasChange[]> {
  const moves = await listAliasMoves(runtime()).catch(() => [])
  const find = (id: string | null) => listed.find((model) => model.id === id)
  const changes = moves.flatMap(({ from: fromId, to: toId, at }) => {
    const [from, to] = [find(fromId), find(toId)]
    return from && to ? [{ at, from, to }] : []
  })
  return changes.slice(0, MAX_CHANGES)
}

export async function readModels() {
  const listed = listedModels(readModelUptimes(runtime()))
  const priced: PricedModel[] = listed
    .filter(({ status }) => status === "active")
    .map(({ id, price_per_million_input_tokens_usd, isExactCount }) => ({
      id,
      pricePerMillionUsd: price_per_million_input_tokens_usd,
      isExact: isExactCount,
    }))
  const cautions: Caution[] = runtime()
    .catalogue.pinned()
    .flatMap((model) => {
      const caution = model.status === "active" ? cautionOf(model) : null
      return caution ? [{ id: model.id, caution }] : []
    })
  const planned = await findPlannedMove(runtime()).catch(() => null)
  return {
    listed,
    priced,
    cautions,
    changes: await readChanges(listed),
    announced: planned?.isAnnounced ? planned : null,
  }
}

/** Returns how the alias's latest shadow compares on the actor's requests. Null without one or a session. */
export async function readOwnShadow(actor: UserActor | null) {
  if (!actor) return null
  const [shadow, { takesPart }] = await Promise.all([
    findOwnShadow(runtime(), actor, { aliasId: ALIAS }),
    getTakingPart(runtime(), actor),
  ])
  const isOfAccount = shadow !== null && (shadow.endedAt === null || shadow.answered > 0)
  return isOfAccount ? { shadow, takesPart } : null
}

/** Returns what the page shows about the model on which the alias stays for the actor's account. Null without a session. */
export async function readStay(actor: UserActor | null) {
  if (!actor) return null
  return { ...(await getStay(runtime(), actor)), mayChange: hasRight(actor, "account.manage") }
}

export function exampleTexts(): { state: string; questions: string } {
  const { refund, topic, anger } = EXAMPLE_REQUEST.questions
  const options = Object.entries(topic.criteria).flat()
  const texts = [refund.instructions, topic.instructions, ...options, anger.instructions, ...anger.criteria]
  return { state: EXAMPLE_REQUEST.state, questions: texts.join("\n") }
}
