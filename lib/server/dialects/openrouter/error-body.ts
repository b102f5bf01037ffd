import { errorBody, type ServiceError } from "@/lib/shared/errors"

/** Returns an error as OpenRouter's clients read it: `code` is the status, and `metadata` has the rest of the contract's error object. */
export function openRouterError(error: ServiceError): object {
  const { message, ...metadata } = errorBody(error).error
  return { error: { code: error.status, message, metadata } }
}
