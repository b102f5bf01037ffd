import type { IncomingMessage, ServerResponse } from "node:http"
import { openRouter } from "@/lib/server/dialects/openrouter/openrouter"
import type { KnownKey } from "@/lib/server/keys/key-cache"
import { requireWithinRate } from "@/lib/server/limits/fixed-rates"
import type { ListedModel } from "@/lib/server/models/model-entry"
import { runtime } from "@/lib/server/platform/runtime"
import { type KeySpend, readKeySpend } from "@/lib/server/usage/read-key-spend"
import { type Pico, usd12 } from "@/lib/shared/money"
import { jsonObject } from "@/questions/answer-text"
import { freshCatalogue } from "./fresh-catalogue"
import { keyOf } from "./key-of"
import { RequestRecord } from "./request-record"
import { sendJson } from "./respond"
import type { Route } from "./route"

const MODELS_PATH = "/api/v1/models"
const KEY_PATH = "/api/v1/key"

/** What all models of this service answer with. */
const MODALITIES = ["decisions", "all"]

/** Returns a whole number of the query, or `otherwise` without one. */
function numberIn(query: URLSearchParams, name: string, otherwise: number): number {
  const text = query.get(name) ?? ""
  return /^\d{1,9}$/.test(text) ? Number(text) : otherwise
}

/** Returns the part of the models that the query asks for. Unknown parameters are ignored. */
function pageOf(models: ListedModel[], { url = "/" }: IncomingMessage): ListedModel[] {
  const query = new URL(url, "http://service").searchParams
  const asked = query.get("output_modalities")?.split(",") ?? MODALITIES
  if (!asked.some((modality) => MODALITIES.includes(modality))) return []
  const offset = numberIn(query, "offset", 0)
  return models.slice(offset, offset + numberIn(query, "limit", models.length))
}

/** `GET /api/v1/models`: the list of `GET /v1/models` with the names that OpenRouter's clients may send, under the same rate limit. */
const models: Route = {
  path: MODELS_PATH,
  method: "GET",
  serve: "api",
  errorBody: openRouter.errorBody,
  handle: (request: IncomingMessage, response: ServerResponse) =>
    new RequestRecord(MODELS_PATH, response).answer(async () => {
      const catalogue = await freshCatalogue(request)
      const listed = catalogue.listedWithNames("openrouter")
      const data = pageOf(listed, request)
      const list = { data, models: catalogue.cards("openrouter"), total_count: listed.length, links: { next: null } }
      sendJson(response, 200, JSON.stringify(list))
    }),
}

const money = (amount: Pico | null): string => (amount === null ? "null" : usd12(amount))

/** What this service does not have. */
const OF_OPENROUTER_ALONE = {
  byok_usage: 0,
  byok_usage_daily: 0,
  byok_usage_weekly: 0,
  byok_usage_monthly: 0,
  include_byok_in_limit: false,
  is_free_tier: false,
  is_management_key: false,
  is_provisioning_key: false,
  creator_user_id: null,
  organization_id: null,
  workspace_id: null,
  free_model_daily_requests: { limit: 0, remaining: 0, used: 0 },
  allowed_data_regions: ["global"],
}

/** Returns the key as OpenRouter's documentation has it, with exact amounts in USD as numbers. */
function keyJson({ perSecond }: KnownKey, spend: KeySpend): string {
  const { masked, limitPico, remainingPico, period, expiresAt, spentPico } = spend
  const others = {
    label: masked,
    limit_reset: period === "daily" ? period : null,
    expires_at: expiresAt,
    rate_limit: { requests: perSecond.key, interval: "1s", note: "Of this key alone." },
    ...OF_OPENROUTER_ALONE,
  }
  const amounts: [string, string][] = [
    ["limit", money(limitPico)],
    ["limit_remaining", money(remainingPico)],
    ["usage", money(spentPico.ever)],
    ["usage_daily", money(spentPico.day)],
    ["usage_weekly", money(spentPico.week)],
    ["usage_monthly", money(spentPico.month)],
  ]
  const rest = Object.entries(others).map(([name, value]): [string, string] => [name, JSON.stringify(value)])
  return jsonObject([["data", jsonObject([...amounts, ...rest])]])
}

/** `GET /api/v1/key`: what the key that asks may spend and has spent. */
const key: Route = {
  path: KEY_PATH,
  method: "GET",
  serve: "api",
  errorBody: openRouter.errorBody,
  handle: (request: IncomingMessage, response: ServerResponse) =>
    new RequestRecord(KEY_PATH, response).answer(async () => {
      const known = await keyOf(request, openRouter.paths)
      await requireWithinRate(runtime(), "key_reads", known.keyId)
      sendJson(response, 200, keyJson(known, await readKeySpend(runtime(), known)))
    }),
}

/** What OpenRouter's clients read, beside their decisions. */
export const openRouterRoutes: readonly Route[] = [models, key]
