/** What a key can be restricted to: routes of the API by their path, and what is charged to a key in the console. */
export const KEY_ROUTES = {
  "/v1/decisions": "POST /v1/decisions",
  "/v1/systemone": "POST /v1/systemone",
  "/v1/systemone/batch": "POST /v1/systemone/batch",
  "/v1/outcomes": "POST /v1/outcomes",
  "/api/alpha/decisions": "POST /api/alpha/decisions",
  "/api/v1/systemone": "POST /api/v1/systemone",
  "/api/v1/decisions": "POST /api/v1/decisions",
  "/openai/v1/decisions": "POST /openai/v1/decisions",
  console: "The playground and Evaluate",
} as const

export type KeyRoute = keyof typeof KEY_ROUTES
export const KEY_ROUTE_NAMES = Object.keys(KEY_ROUTES) as KeyRoute[]
