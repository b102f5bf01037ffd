import type { EngineKind } from "@/lib/server/engines/engine"
import type { EngineModel } from "@/lib/server/engines/engine-model"
import { OWN_ENGINE_URL } from "@/lib/server/engines/own-engine-url"
import type { PinnedFacts } from "@/lib/server/engines/pinned-facts"
import { retryConnecting } from "@/lib/server/platform/db/retry-connecting"
import type { Row } from "@/lib/server/platform/db/row"
import type { Runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { type CatalogueModel, type ModelAddress, type ModelName, smallestLimits } from "./catalogue"

type ModelRow = Row<
  "Model",
  | "id"
  | "target_id"
  | "replacement_id"
  | "price_pico"
  | "max_questions"
  | "max_options"
  | "max_levels"
  | "max_body_bytes"
  | "engine_model"
  | "engine_build"
  | "tokenizer"
  | "prompt_template"
  | "small_id"
  | "big_id"
  | "below"
  | "created_at"
> & {
  kind: "alias" | "pinned"
  status: "active" | "retired"
  engine: EngineKind | "cascade" | null
  pinned_facts: PinnedFacts | null
  addresses: ModelAddress[]
  names: ModelName[]
  shadow: {
    shadow: string
    served: string
    candidate: string
    share: number
    budget: string | null
    spent: string
  } | null
}

const fromRow = (row: ModelRow): CatalogueModel => ({
  id: row.id,
  kind: row.kind,
  targetId: row.target_id,
  status: row.status,
  replacementId: row.replacement_id,
  pricePico: row.price_pico === null ? null : pico(row.price_pico),
  limits: {
    maxQuestions: row.max_questions,
    maxOptions: row.max_options,
    maxLevels: row.max_levels,
    maxBodyBytes: row.max_body_bytes,
  },
  engine: row.engine,
  addresses: row.addresses,
  engineModel: row.engine_model,
  engineBuild: row.engine_build,
  pinnedFacts: row.pinned_facts,
  tokenizer: row.tokenizer,
  promptTemplate: row.prompt_template,
  cascade: null,
  createdAt: row.created_at,
  names: row.names,
  shadow: row.shadow && {
    id: row.shadow.shadow,
    fromId: row.shadow.served,
    toId: row.shadow.candidate,
    share: row.shadow.share,
    budgetPico: row.shadow.budget === null ? null : pico(row.shadow.budget),
    spentPico: pico(row.shadow.spent),
  },
})

/** Returns `ENGINE_API_KEY` for the origin of `ENGINE_URL`, else null: the key is sent to no other engine. */
export function apiKeyFor({ env }: Runtime, engineUrl: string): string | null {
  const { ENGINE_URL, ENGINE_API_KEY } = env
  if (!ENGINE_URL || !ENGINE_API_KEY) return null
  return new URL(engineUrl).origin === new URL(ENGINE_URL).origin ? ENGINE_API_KEY : null
}

/** Returns the models of these rows, in their order. A cascade has the smaller limits of its own and of both its parts. */
function fromRows(rows: ModelRow[]): CatalogueModel[] {
  const models = new Map(rows.map((row) => [row.id, fromRow(row)]))
  return rows.flatMap(({ id, small_id, big_id, below }) => {
    const model = models.get(id)
    const [small, big] = [models.get(small_id ?? ""), models.get(big_id ?? "")]
    if (!model || !small || !big || below === null) return model ?? []
    const limits = smallestLimits([model.limits, small.limits, big.limits])
    return { ...model, limits, cascade: { small, big, below } }
  })
}

/** Returns what this process needs to open the engines of a model. Null for an alias and for a cascade. */
export function engineModelOf(runtime: Runtime, model: CatalogueModel): EngineModel | null {
  const { id, engine, engineModel, engineBuild, pinnedFacts, tokenizer, promptTemplate } = model
  if (engine === null || engine === "cascade") return null
  const own = runtime.ownEngines.find(id)
  const addresses = model.addresses.map((address) => ({
    ...address,
    apiKey: apiKeyFor(runtime, address.url),
    socketPath: address.url === OWN_ENGINE_URL ? (own?.socketPath ?? null) : null,
  }))
  return { id, engine, addresses, engineModel, engineBuild, pinnedFacts, tokenizer, promptTemplate }
}

/** Reads the catalogue and connects the engines of its active models. Runs every second, so a change applies within 2 s. */
export async function loadCatalogue(runtime: Runtime): Promise<void> {
  const { pool, catalogue, engines } = runtime
  const { rows } = await pool.query<ModelRow>({
    name: "catalogue",
    text: `SELECT id, kind, target_id, status, replacement_id, price_pico, max_questions, max_options, max_levels, max_body_bytes,
      engine, engine_model, engine_build, pinned_facts, tokenizer, prompt_template, small_id, big_id, below,
      created_at,
      ARRAY(SELECT jsonb_build_object('url', url, 'isDraining', is_draining) FROM model_address
        WHERE model_id = model.id ORDER BY created_at, url) AS addresses,
      ARRAY(SELECT jsonb_build_object('dialect', dialect, 'name', name) FROM model_name
        WHERE target_id = model.id ORDER BY created_at, name) AS names,
      (SELECT jsonb_build_object('shadow', id, 'served', from_id, 'candidate', to_id, 'share', share, 'budget', budget_pico::text,
          'spent', spent_pico::text)
        FROM shadow WHERE alias_id = model.id AND ended_at IS NULL AND (until_at IS NULL OR until_at > now())) AS shadow
      FROM model ORDER BY kind, created_at DESC, id`,
  })
  catalogue.replace(fromRows(rows))
  const active = catalogue.pinned().filter((model) => model.status === "active")
  engines.sync(
    active.flatMap((model) => engineModelOf(runtime, model) ?? []),
    active.flatMap(({ id, cascade }) =>
      cascade ? [{ id, smallId: cascade.small.id, bigId: cascade.big.id, below: cascade.below }] : [],
    ),
  )
}

/** Loads the catalogue for a process that starts. Tries again for 20 s while it cannot connect. */
export const loadFirstCatalogue = (runtime: Runtime): Promise<void> => retryConnecting(() => loadCatalogue(runtime))
