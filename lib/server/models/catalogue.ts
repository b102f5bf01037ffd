import type { ModelEntry } from "@/lib/server/models/model-entry"
import { type Pico, usdPerMillion } from "@/lib/shared/money"
import { CEILINGS } from "@/questions/limits"

export type { ModelEntry }

/** A row of the catalogue. Limits and price of an alias are those of its target. */
export interface CatalogueModel {
  id: string
  kind: "alias" | "pinned"
  targetId: string | null
  status: "active" | "retired"
  replacementId: string | null
  /** pico-USD per token; null: not sold. */
  pricePico: Pico | null
  limits: ModelLimits
  engine: "lexical" | "system-one" | null
  engineUrl: string | null
  engineModel: string | null
  engineBuild: string | null
  tokenizer: string | null
}

export interface ModelLimits {
  maxQuestions: number
  maxOptions: number
  maxLevels: number
  maxBodyBytes: number
}

/** What no model may be set above. */
export const MOST: ModelLimits = {
  maxQuestions: CEILINGS.questions,
  maxOptions: CEILINGS.options,
  maxLevels: CEILINGS.levels,
  maxBodyBytes: CEILINGS.bodyBytes,
}

/** False while it is not known how a model's tokens are counted: it is not sold then, and its limits may still change. */
export const isSettled = ({ engine, tokenizer }: CatalogueModel): boolean =>
  engine !== "system-one" || tokenizer !== null

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    catalogue: Catalogue
  }
}

/** The models of this process as last read from the database, aliases first; empty until the first read. */
export class Catalogue {
  #models = new Map<string, CatalogueModel>()
  #fresh = false

  /** Takes over a fresh read of the table. */
  replace(models: CatalogueModel[]): void {
    this.#models = new Map(models.map((model) => [model.id, model]))
    this.#fresh = true
  }

  /** The last read failed: what is here may be out of date. */
  markStale(): void {
    this.#fresh = false
  }

  get fresh(): boolean {
    return this.#fresh
  }

  find(id: string): CatalogueModel | null {
    return this.#models.get(id) ?? null
  }

  /** The pinned model that an id stands for: itself, or an alias's target. */
  resolve(id: string): CatalogueModel | null {
    const model = this.find(id)
    return model?.targetId ? this.find(model.targetId) : model
  }

  /** Every pinned model, retired ones too. */
  pinned(): CatalogueModel[] {
    return [...this.#models.values()].filter((model) => model.kind === "pinned")
  }

  /** Aliases and active pinned ids: the `valid_models` of an `invalid_model` error. */
  callableIds(): string[] {
    return [...this.#models.values()].filter((model) => model.status === "active").map((model) => model.id)
  }

  /** Every model as `GET /v1/models` shows it. */
  list(): ModelEntry[] {
    return [...this.#models.values()].map((model) => this.#entry(model))
  }

  #entry(model: CatalogueModel): ModelEntry {
    const pinned = this.resolve(model.id) ?? model
    // While a model's own limits load, the global ceilings are listed (spec.md, "GET /v1/models").
    const limits = isSettled(pinned) ? pinned.limits : MOST
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
}
