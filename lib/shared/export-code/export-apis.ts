/** An API of another service, which exported code uses through its clients. */
export type ClientApi = "systemone" | "openrouter" | "openai"

/** An API that exported code can use. With `outcomes`, the program of the contract's API also reports what really happened. */
export type ExportApi = "decisions" | "outcomes" | ClientApi

/** The choices of the interface. */
export const EXPORT_APIS: readonly { value: ExportApi; label: string }[] = [
  { value: "decisions", label: "Decisions API, without packages" },
  { value: "outcomes", label: "Decisions API, with a report of outcomes" },
  { value: "systemone", label: "System One, with its SDKs" },
  { value: "openrouter", label: "OpenRouter, with its SDKs" },
  { value: "openai", label: "OpenAI, with its SDKs" },
]

/** What follows the address of the service: where requests are sent, and what a client is given as its base. */
export const API_PATHS: Readonly<Record<ExportApi, { path: string; base: string }>> = {
  decisions: { path: "/v1/decisions", base: "" },
  outcomes: { path: "/v1/decisions", base: "" },
  systemone: { path: "/v1/systemone", base: "" },
  openrouter: { path: "/api/v1/systemone", base: "/api/v1" },
  openai: { path: "/openai/v1/decisions", base: "/openai/v1" },
}

/** Returns the API whose clients exported code needs. Null for the contract's API, which needs none. */
export const clientApiOf = (api: ExportApi): ClientApi | null =>
  api === "decisions" || api === "outcomes" ? null : api
