import type { Dialect } from "../dialect"
import { openRouterError } from "./error-body"
import { readOpenRouter } from "./read-body"

/** OpenRouter: the body of System One's clients at other paths, whose answers have an id and a cost (docs/decisions/0058). */
export const openRouter: Dialect = {
  name: "openrouter",
  paths: ["/api/alpha/decisions", "/api/v1/systemone", "/api/v1/decisions"],
  bases: ["/api/alpha", "/api/v1"],
  readBody: readOpenRouter,
  errorBody: openRouterError,
}
