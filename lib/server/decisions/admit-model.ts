import { type CatalogueModel, isSettled } from "@/lib/server/models/catalogue"
import type { Runtime } from "@/lib/server/platform/runtime"
import { type CheckedRequest, checkModelLimits } from "@/lib/shared/decisions/check-request"
import { ServiceError } from "@/lib/shared/errors"

/**
 * Returns the pinned model that a `model` value refers to. Throws `invalid_model`, `model_retired` or
 * `model_unavailable`.
 */
export function resolveModel({ catalogue, engines }: Runtime, id: string): CatalogueModel {
  const model = catalogue.resolve(id)
  if (!model)
    throw new ServiceError("invalid_model", { param: "model", extra: { valid_models: catalogue.callableIds() } })
  if (model.status === "retired")
    throw new ServiceError("model_retired", { extra: { replacement_model: model.replacementId } })
  if (model.pricePico === null || !isSettled(model) || !engines.availability(model.id).available)
    throw new ServiceError("model_unavailable")
  return model
}

/** Performs step 4 of spec.md's order of checks: the model, then its body limit (413), then its other limits (400). */
export function admitModel(runtime: Runtime, request: CheckedRequest, bodyBytes: number): CatalogueModel {
  const model = resolveModel(runtime, request.model)
  if (bodyBytes > model.limits.maxBodyBytes)
    throw new ServiceError("request_too_large", {
      param: "body",
      message: `The request body has ${bodyBytes} bytes, but this model accepts at most ${model.limits.maxBodyBytes}. Shorten the request.`,
    })
  const violation = checkModelLimits(request, model.limits)
  if (violation) throw new ServiceError("invalid_request", violation)
  return model
}
