import { type ErrorType, errorBody, type ServiceError } from "@/lib/shared/errors"

const ERROR_TYPES: Record<ErrorType, string> = {
  invalid_request_error: "api_usage_error",
  authentication_error: "api_usage_error",
  billing_error: "api_usage_error",
  rate_limit_error: "rate_limit_error",
  api_error: "api_error",
}

/** Returns the contract's error object with `detail`, where clients of System One look for the text: as a list for a field. */
export function systemOneError(error: ServiceError): object {
  const { message, type, code, param } = error
  const detail =
    param === undefined || type !== "invalid_request_error"
      ? { error_type: ERROR_TYPES[type], message }
      : [{ type: code, loc: ["body", ...param.split(".").filter((part) => part !== "body")], msg: message }]
  return { ...errorBody(error), detail }
}
