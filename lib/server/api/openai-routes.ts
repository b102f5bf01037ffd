import type { IncomingMessage, ServerResponse } from "node:http"
import { openAi } from "@/lib/server/dialects/openai/openai"
import { requireWithinRate } from "@/lib/server/limits/fixed-rates"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { pathOf } from "./console-request"
import { ANY_ID } from "./find-route"
import { keyOf } from "./key-of"
import { RequestRecord } from "./request-record"
import { sendJson } from "./respond"
import type { Route } from "./route"

const LIST_PATH = "/openai/v1/models"
const MODEL_PATH = `${LIST_PATH}/${ANY_ID}`

/** A model as OpenAI's clients read it. */
interface OpenAiModel {
  id: string
  object: "model"
  /** In seconds since 1970. */
  created: number
  owned_by: string
}

/** Returns the ids and names that OpenAI's clients can call. Throws `model_unavailable` without a list. */
function modelsNow(): OpenAiModel[] {
  const { catalogue, env } = runtime()
  if (!catalogue.fresh) throw new ServiceError("model_unavailable", { message: "The model list cannot be loaded." })
  return catalogue
    .listedWithNames("openai")
    .filter(({ status }) => status === "active")
    .map(({ id, created }) => ({ id, object: "model", created, owned_by: env.SERVICE_NAME }))
}

/** Returns a route that reads models for a key that may be used for OpenAI's routes. */
const readingModels = (path: string, read: (models: OpenAiModel[], request: IncomingMessage) => object): Route => ({
  path,
  method: "GET",
  serve: "api",
  errorBody: openAi.errorBody,
  handle: (request: IncomingMessage, response: ServerResponse) =>
    new RequestRecord(path, response).answer(async () => {
      const { keyId } = await keyOf(request, openAi.paths)
      await requireWithinRate(runtime(), "key_reads", keyId)
      sendJson(response, 200, JSON.stringify(read(modelsNow(), request)))
    }),
})

/** What OpenAI's clients read, beside their decisions. */
export const openAiRoutes: readonly Route[] = [
  readingModels(LIST_PATH, (data) => ({ object: "list", data })),
  readingModels(MODEL_PATH, (models, request) => {
    const id = decodeURIComponent(pathOf(request).slice(LIST_PATH.length + 1))
    const model = models.find((one) => one.id === id)
    if (!model)
      throw new ServiceError("not_found", { message: `There is no model with this id. See GET ${LIST_PATH}.` })
    return model
  }),
]
