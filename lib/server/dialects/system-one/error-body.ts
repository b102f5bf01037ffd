import { type ErrorType, errorBody, type ServiceError } from "@/lib/shared/errors"

const ERROR_TYPES: Record<ErrorType, string> = {
  invalid_request_error: "api_usage_error",
  authentication_error: "authentication_error",
  billing_error: "api_usage_error",
  rate_limit_error: "rate_limit_error",
  api_error: "api_error",
}

/** Returns the contract's error object with `detail`, where clients of System One look for the text: as a list for an invalid field. */
export function systemOneError(error: ServiceError): object {
  const { message, type, code, path } = error
  const detail =
    path && code === "invalid_request"
      ? [{ type: code, loc: ["body", ...path], msg: message }]
      : { error_type: ERROR_TYPES[type], message }
  return { ...errorBody(error), detail }
}
