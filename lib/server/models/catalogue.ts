import type { EngineKind } from "@/lib/server/engines/engine"
import type { PinnedFacts } from "@/lib/server/engines/pinned-facts"
import { BYTE_RULE } from "@/lib/server/engines/token-count"
import type { DialectName } from "@/lib/shared/models/dialect-names"
import { type Pico, usd12, usdPerMillion } from "@/lib/shared/money"
import { dayOf } from "@/lib/shared/time"
import { CEILINGS, type ShapeLimits, WIDEST } from "@/questions/limits"
import type { ListedModel, ModelCard, ModelEntry } from "./model-entry"

export type { ModelEntry }

export interface ModelAddress {
  url: string
  isDraining: boolean
}

/** A name that only one dialect's clients may use. */
export interface ModelName {
  dialect: DialectName
  name: string
}

/** A share of an alias's answered requests is also asked of a candidate. */
export interface RunningShadow {
  id: string
  /** The alias's target when it started. The candidate is compared with no other model. */
  fromId: string
  /** The candidate. */
  toId: string
  /** From 0 to 1. */
  share: number
  /** What the candidate's answers may cost at its price; null without a budget. */
  budgetPico: Pico | null
  spentPico: Pico
}

/** Two pinned models that answer as one. Both, and the bound, are what the id is pinned to. */
interface Cascade {
  small: CatalogueModel
  /** Answers again what `small` answered with a probability below `below`. */
  big: CatalogueModel
  below: number
}

/** A model of the catalogue. The price and limits of an alias are not used: those of its target apply, see `resolve`. */
export interface CatalogueModel {
  id: string
  kind: "alias" | "pinned"
  targetId: string | null
  status: "active" | "retired"
  replacementId: string | null
  /** pico-USD per token; null: not sold. */
  pricePico: Pico | null
  limits: ModelLimits
  engine: EngineKind | "cascade" | null
  /** Where its engines are. Empty for an alias and for the keyword rules. */
  addresses: ModelAddress[]
  engineModel: string | null
  engineBuild: string | null
  /** What the weights are pinned to. For operators only. */
  pinnedFacts: PinnedFacts | null
  tokenizer: string | null
  /** The version of the texts that the service adds to an engine request. */
  promptTemplate: string | null
  /** The models that a cascade asks. Null for every other model. */
  cascade: Cascade | null
  createdAt: Date
  /** What clients of other APIs may call it. Oldest first. */
  names: ModelName[]
  /** Null while none runs, and for a pinned id. */
  shadow: RunningShadow | null
}

export interface ModelLimits extends ShapeLimits {
  maxBodyBytes: number
}

/** The global ceilings of every model's limits (spec.md). */
export const MAX_LIMITS: ModelLimits = { ...WIDEST, maxBodyBytes: CEILINGS.bodyBytes }

/** Returns the smallest of each limit. */
export function smallestLimits(all: ModelLimits[]): ModelLimits {
  const least = (name: keyof ModelLimits) => Math.min(...all.map((limits) => limits[name]))
  return {
    maxQuestions: least("maxQuestions"),
    maxOptions: least("maxOptions"),
    maxLevels: least("maxLevels"),
    maxBodyBytes: least("maxBodyBytes"),
  }
}

/** Returns whether a probe succeeded once. From then on the id always means what that probe found. */
export const isPinned = ({ engine, engineBuild, pinnedFacts }: CatalogueModel): boolean =>
  engine === "lexical" || engine === "cascade" || engineBuild !== null || pinnedFacts !== null

/** Returns whether it is known how the model's tokens are counted. Until then, requests are refused and its limits may change. */
export const isSettled = ({ engine, tokenizer, cascade }: CatalogueModel): boolean =>
  cascade
    ? isSettled(cascade.small) && isSettled(cascade.big)
    : engine === null || engine === "lexical" || tokenizer !== null

/**
 * Returns "exact" for models that count every started group of 4 bytes as a token, and "estimated" for all others. When it is
 * exact, the console's own count of a text is the billed count.
 */
export const tokenCounting = ({ engine, tokenizer, cascade }: CatalogueModel): "exact" | "estimated" => {
  if (cascade) return tokenCounting(cascade.small)
  return engine === "lexical" || tokenizer === BYTE_RULE ? "exact" : "estimated"
}

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    catalogue: Catalogue
  }
}

/** The models as last read from the database, the alias first. Empty until the first read. */
export class Catalogue {
  #models = new Map<string, CatalogueModel>()
  /** Ids by dialect and name. */
  #named = new Map<string, string>()
  #fresh = false
  /** When the first read that failed after the last success began. Null after a success. */
  staleSince: Date | null = null

  replace(models: CatalogueModel[]): void {
    this.#models = new Map(models.map((model) => [model.id, model]))
    this.#named = new Map(
      models.flatMap(({ id, names }) => names.map(({ dialect, name }) => [`${dialect} ${name}`, id])),
    )
    this.#fresh = true
    this.staleSince = null
  }

  /** Marks the models as possibly outdated, because a read that began at `since` failed. */
  markStale(since = new Date()): void {
    this.#fresh = false
    this.staleSince ??= since
  }

  get fresh(): boolean {
    return this.#fresh
  }

  find(id: string): CatalogueModel | null {
    return this.#models.get(id) ?? null
  }

  /** Returns the pinned model of an id: itself, or the target of an alias. */
  resolve(id: string): CatalogueModel | null {
    const model = this.find(id)
    return model?.targetId ? this.find(model.targetId) : model
  }

  /** Returns the id that a dialect's name stands for. Null for another name, and for an id: no name replaces an id. */
  namedId(dialect: DialectName, name: string): string | null {
    if (this.#models.has(name)) return null
    return this.#named.get(`${dialect} ${name}`) ?? null
  }

  /** Returns the names that a dialect's clients can call, oldest first. */
  namesOf(dialect: DialectName): string[] {
    return this.#callable().flatMap(({ names }) =>
      names.filter((one) => one.dialect === dialect).map(({ name }) => name),
    )
  }

  #callable(): CatalogueModel[] {
    return [...this.#models.values()].filter((model) => model.status === "active")
  }

  pinned(): CatalogueModel[] {
    return [...this.#models.values()].filter((model) => model.kind === "pinned")
  }

  /** Returns the alias and the active pinned ids, the `valid_models` of an `invalid_model` error. */
  callableIds(): string[] {
    return this.#callable().map((model) => model.id)
  }

  list(): ModelEntry[] {
    return [...this.#models.values()].map((model) => this.#entry(model))
  }

  /** Returns every model with what clients written for OpenRouter also read. */
  listed(): ListedModel[] {
    return [...this.#models.values()].map((model) => ({ ...this.#entry(model), ...this.#forOpenRouter(model) }))
  }

  /** The same, followed by each name of a dialect that can be called, as a model of its own. */
  listedWithNames(dialect: DialectName): ListedModel[] {
    const named = this.#callable().flatMap((model) =>
      model.names
        .filter((one) => one.dialect === dialect && !this.#models.has(one.name))
        .map(({ name }) => ({ ...this.#entry(model), ...this.#forOpenRouter(model), id: name, name })),
    )
    return [...this.listed(), ...named]
  }

  /** Returns the ids and names that can be called, as clients written for System One read them. */
  cards(dialect: DialectName = "systemone"): ModelCard[] {
    const callable = this.#callable()
    const ids = callable.map(({ id, targetId, createdAt }) => ({
      name: id,
      description: targetId ? `Alias of ${targetId}` : "Pinned model",
      release_date: dayOf(createdAt),
    }))
    const names = callable.flatMap(({ id, createdAt, names: own }) =>
      own
        .filter((one) => one.dialect === dialect)
        .map(({ name }) => ({ name, description: `Name of ${id}`, release_date: dayOf(createdAt) })),
    )
    return [...new Map([...ids, ...names].map((card) => [card.name, card])).values()]
  }

  #entry(model: CatalogueModel): ModelEntry {
    const pinned = this.resolve(model.id) ?? model
    // Until a model's own limits are known, the list shows the global ceilings (spec.md, "GET /v1/models").
    const limits = isSettled(pinned) ? pinned.limits : MAX_LIMITS
    return {
      id: model.id,
      kind: model.kind,
      target_model: model.targetId,
      status: model.status,
      replacement_model: model.replacementId,
      price_per_million_input_tokens_usd: usdPerMillion(pinned.pricePico),
      max_questions: limits.maxQuestions,
      max_options: limits.maxOptions,
      max_levels: limits.maxLevels,
      max_body_bytes: limits.maxBodyBytes,
    }
  }

  #forOpenRouter({ id, createdAt, ...model }: CatalogueModel): Omit<ListedModel, keyof ModelEntry> {
    const { pricePico } = this.resolve(id) ?? model
    return {
      name: id,
      canonical_slug: model.targetId ?? id,
      created: Math.floor(createdAt.getTime() / 1_000),
      pricing: { prompt: pricePico === null ? "-1" : usd12(pricePico), completion: "0" },
      architecture: { input_modalities: ["text"], output_modalities: ["decisions"], modality: "text->decisions" },
      top_provider: { is_moderated: false },
      links: { details: "/v1/models" },
      context_length: null,
      default_parameters: null,
      per_request_limits: null,
      supported_parameters: [],
      supported_voices: null,
    }
  }
}
