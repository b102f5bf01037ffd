import { readFileSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Catalogue } from "@/lib/server/models/catalogue"
import type { ModelList } from "@/lib/server/models/model-entry"
import { ServiceError } from "@/lib/shared/errors"
import { accountReport, usageReport } from "./account-routes"
import { pathOf } from "./console-request"
import { decisions, dialectRoutes, evaluateDecisions, playgroundDecisions, playgroundTokens } from "./decision-routes"
import { ANY_ID } from "./find-route"
import { freshCatalogue } from "./fresh-catalogue"
import { answerMetrics } from "./metrics-route"
import { openAiRoutes } from "./openai-routes"
import { openRouterRoutes } from "./openrouter-routes"
import { outcomesRoute } from "./outcomes-route"
import { answerReadiness } from "./readiness"
import { RequestRecord } from "./request-record"
import { sendJson } from "./respond"
import type { Route } from "./route"
import { answerStatus } from "./status-route"
import { visitorDecisions } from "./visitor-route"
import { type WellKnownSettings, wellKnownRoutes } from "./well-known"

const MODEL_PATH = `/v1/models/${ANY_ID}`

/** Returns every route that is answered without Next. Its OpenAPI documents have the addresses and the contact of the settings. */
export const publicRoutes = (settings: WellKnownSettings): Route[] => [
  decisions,
  ...dialectRoutes,
  outcomesRoute,
  { path: "/v1/models", method: "GET", serve: "api", handle: answerModels },
  { path: MODEL_PATH, method: "GET", serve: "api", handle: answerModel },
  ...openRouterRoutes,
  ...openAiRoutes,
  playgroundDecisions,
  evaluateDecisions,
  playgroundTokens,
  visitorDecisions,
  { path: "/healthz", method: "GET", serve: "both", isProbe: true, handle: answerHealth },
  { path: "/readyz", method: "GET", serve: "both", isProbe: true, handle: answerReadiness },
  { path: "/status.json", method: "GET", serve: "both", handle: answerStatus },
  { path: "/metrics", method: "GET", serve: "both", isProbe: true, handle: answerMetrics },
  accountReport,
  usageReport,
  openApi("/openapi.json", "both", settings.BASE_URL, settings),
  openApi("/api/openapi.json", "console", settings.CONSOLE_URL, settings),
  openApi("/api/admin/openapi.json", "console", settings.CONSOLE_URL, settings),
  ...wellKnownRoutes(settings),
]

function answerModels(request: IncomingMessage, response: ServerResponse): Promise<void> {
  return new RequestRecord("/v1/models", response).answer(async () => {
    sendJson(response, 200, JSON.stringify(modelList(await freshCatalogue(request))))
  })
}

/** `GET /v1/models/{id}`: one element of the list, under the rate limit of the list. */
function answerModel(request: IncomingMessage, response: ServerResponse): Promise<void> {
  return new RequestRecord(MODEL_PATH, response).answer(async () => {
    const catalogue = await freshCatalogue(request)
    const id = decodeURIComponent(pathOf(request).slice("/v1/models/".length))
    const model = catalogue.listed().find((listed) => listed.id === id)
    if (!model) throw new ServiceError("not_found", { message: "There is no model with this id. See GET /v1/models." })
    sendJson(response, 200, JSON.stringify(model))
  })
}

/** Returns the spec's list with what OpenRouter's clients also read, and the callable models again for System One clients. */
function modelList(catalogue: Catalogue): ModelList {
  const data = catalogue.listed()
  return { data, models: catalogue.cards(), total_count: data.length, links: { next: null } }
}

async function answerHealth(_request: IncomingMessage, response: ServerResponse): Promise<void> {
  sendJson(response, 200, '{"status":"ok"}')
}

/** Returns the route of an OpenAPI document in `public/`, with `url` as its server. The file is read once. */
function openApi(path: string, serve: Route["serve"], url: string, settings: WellKnownSettings): Route {
  const { info, ...document }: { info: object } = JSON.parse(readFileSync(`public${path}`, "utf8"))
  const { SUPPORT_EMAIL: email, SUPPORT_URL: page } = settings
  const contact = email || page ? { contact: { email, url: page } } : {}
  const json = JSON.stringify({ ...document, info: { ...info, ...contact }, servers: [{ url }] })
  const handle = async (_request: IncomingMessage, response: ServerResponse) => sendJson(response, 200, json)
  return { path, method: "GET", serve, handle }
}
