import { readFileSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import { requireWithinRate } from "@/lib/server/limits/fixed-rates"
import type { Catalogue } from "@/lib/server/models/catalogue"
import type { ModelList } from "@/lib/server/models/model-entry"
import { clientBlock } from "@/lib/server/platform/client-address"
import type { Env } from "@/lib/server/platform/env"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { accountReport, usageReport } from "./account-routes"
import { decisions, playgroundDecisions, playgroundTokens, systemOne } from "./decision-routes"
import { answerMetrics } from "./metrics-route"
import { answerReadiness } from "./readiness"
import { RequestRecord } from "./request-record"
import { sendJson } from "./respond"
import type { Route } from "./route"
import { answerStatus } from "./status-route"

/** Returns every route that is answered without Next. The addresses of the API and the console appear in their OpenAPI documents. */
export const publicRoutes = ({
  BASE_URL: baseUrl,
  CONSOLE_URL: consoleUrl,
}: Pick<Env, "BASE_URL" | "CONSOLE_URL">): Route[] => [
  decisions,
  systemOne,
  { path: "/v1/models", method: "GET", serve: "api", handle: answerModels },
  playgroundDecisions,
  playgroundTokens,
  { path: "/healthz", method: "GET", serve: "both", isProbe: true, handle: answerHealth },
  { path: "/readyz", method: "GET", serve: "both", isProbe: true, handle: answerReadiness },
  { path: "/status.json", method: "GET", serve: "both", handle: answerStatus },
  { path: "/metrics", method: "GET", serve: "both", isProbe: true, handle: answerMetrics },
  accountReport,
  usageReport,
  openApi("/openapi.json", "openapi.json", "both", baseUrl),
  openApi("/api/openapi.json", "api/openapi.json", "console", consoleUrl),
]

function answerModels(request: IncomingMessage, response: ServerResponse): Promise<void> {
  return new RequestRecord("/v1/models", response).answer(async () => {
    const { catalogue, env } = runtime()
    const address = clientBlock(request, env.TRUSTED_PROXY_HOPS)
    await requireWithinRate(runtime(), "models", address)
    if (!catalogue.fresh) throw new ServiceError("model_unavailable", { message: "The model list cannot be loaded." })
    sendJson(response, 200, JSON.stringify(modelList(catalogue)))
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
function openApi(path: string, file: string, serve: Route["serve"], url: string): Route {
  const document: object = JSON.parse(readFileSync(`public/${file}`, "utf8"))
  const json = JSON.stringify({ ...document, servers: [{ url }] })
  const handle = async (_request: IncomingMessage, response: ServerResponse) => sendJson(response, 200, json)
  return { path, method: "GET", serve, handle }
}
