import type { Dialect } from "@/lib/server/dialects/dialect"
import { type Catalogue, type CatalogueModel, isSettled, type ModelEntry } from "@/lib/server/models/catalogue"
import type { Runtime } from "@/lib/server/platform/runtime"
import { type CheckedRequest, checkModelLimits } from "@/lib/shared/decisions/check-request"
import { ServiceError } from "@/lib/shared/errors"
import { CEILINGS } from "@/questions/limits"

/** What is asked, of one state or of each state of a batch. */
export type Asked = Omit<CheckedRequest, "state"> & {
  /** For a batch: how many bytes its states have as requests of their own. */
  bytesOneByOne?: number
}

/** Returns the request under this service's id of its model, where the client sent a name of its dialect. */
export function withOwnId<Request extends Asked>(catalogue: Catalogue, dialect: Dialect, request: Request): Request {
  const id = catalogue.namedId(dialect.name, request.model)
  return id === null ? request : { ...request, model: id }
}

/** The models that a key is restricted to; empty for all. */
type OnlyModels = readonly string[]

/** For whom a model is resolved. Without one: for nobody in particular. */
interface Caller {
  dialect?: Dialect | null
  onlyModels?: OnlyModels
  /** The earlier model with which the alias answers the caller's account; null for its own. */
  staysOn?: string | null
}

const isAllowed = (id: string, only: OnlyModels): boolean => only.length === 0 || only.includes(id)

/** Returns the error of an unknown model, which is also that of a model that the key may not use. In a dialect, its message names a model that works. */
function unknownModel(catalogue: Catalogue, dialect: Dialect | null | undefined, only: OnlyModels): ServiceError {
  const valid_models = catalogue.callableIds().filter((id) => isAllowed(id, only))
  const working = dialect && ((only.length === 0 && catalogue.namesOf(dialect.name)[0]) || valid_models[0])
  const message = working ? `There is no model with this name. Use ${working}.` : undefined
  return new ServiceError("invalid_model", { param: "model", message, extra: { valid_models } })
}

const canAnswer = ({ engines }: Runtime, model: CatalogueModel): boolean =>
  model.pricePico !== null && isSettled(model) && engines.availability(model.id).available

/** Returns the earlier model with which an alias answers the caller. Null while it cannot answer, so that the alias's own model does. */
function findEarlier(runtime: Runtime, id: string, staysOn: string | null): CatalogueModel | null {
  const { catalogue } = runtime
  if (staysOn === null || catalogue.find(id)?.kind !== "alias") return null
  const earlier = catalogue.find(staysOn)
  return earlier?.status === "active" && canAnswer(runtime, earlier) ? earlier : null
}

/**
 * Returns the pinned model that a `model` value refers to. Throws `invalid_model`, `model_retired` or
 * `model_unavailable`.
 */
export function resolveModel(
  runtime: Runtime,
  id: string,
  { dialect, onlyModels = [], staysOn = null }: Caller = {},
): CatalogueModel {
  const { catalogue } = runtime
  const model = findEarlier(runtime, id, staysOn) ?? catalogue.resolve(id)
  if (!model || !isAllowed(id, onlyModels)) throw unknownModel(catalogue, dialect, onlyModels)
  if (model.status === "retired")
    throw new ServiceError("model_retired", { extra: { replacement_model: model.replacementId } })
  if (!canAnswer(runtime, model)) throw new ServiceError("model_unavailable")
  return model
}

/** Returns the models of the catalogue for an account. Its alias shows the earlier model, price and limits while that one answers. */
export function listModelsFor(runtime: Runtime, staysOn: string | null): ModelEntry[] {
  const entries = runtime.catalogue.list()
  return entries.map((entry) => {
    const earlier = findEarlier(runtime, entry.id, staysOn)
    const shown = earlier && entries.find(({ id }) => id === earlier.id)
    return shown ? { ...shown, id: entry.id, kind: entry.kind, target_model: shown.id } : entry
  })
}

const tooLarge = (message: string) => new ServiceError("request_too_large", { param: "body", message })

/**
 * Performs step 4 of spec.md's order of checks: the model, then its body limit (413), then its other limits (400). Clients of a
 * dialect do not read how many questions a model takes, so theirs are split over several calls.
 */
export function admitModel(runtime: Runtime, request: Asked, bodyBytes: number, caller: Caller): CatalogueModel {
  const model = resolveModel(runtime, request.model, caller)
  const { maxBodyBytes } = model.limits
  const { bytesOneByOne = 0 } = request
  if (bodyBytes > maxBodyBytes)
    throw tooLarge(
      `The request body has ${bodyBytes} bytes, but this model accepts at most ${maxBodyBytes}. Shorten the request.`,
    )
  // A response repeats the levels of each question for each state, so this bounds it too.
  if (bytesOneByOne > maxBodyBytes)
    throw tooLarge(
      `With the questions of each, the states have ${bytesOneByOne} bytes, but this model accepts at most ${maxBodyBytes}. Send fewer states in a batch.`,
    )
  const limits = caller.dialect ? { ...model.limits, maxQuestions: CEILINGS.questions } : model.limits
  const violation = checkModelLimits(request, limits)
  if (violation) throw new ServiceError("invalid_request", violation)
  return model
}
