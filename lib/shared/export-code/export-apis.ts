/** An API that exported code can use: the contract's, or that of another service's clients. */
export type ExportApi = "decisions" | "systemone" | "openrouter" | "openai"

/** The choices of the interface. */
export const EXPORT_APIS: readonly { value: ExportApi; label: string }[] = [
  { value: "decisions", label: "Decisions API, without packages" },
  { value: "systemone", label: "System One, with its SDKs" },
  { value: "openrouter", label: "OpenRouter, with its SDKs" },
  { value: "openai", label: "OpenAI, with its SDKs" },
]

/** What follows the address of the service: where requests are sent, and what a client is given as its base. */
export const API_PATHS: Readonly<Record<ExportApi, { path: string; base: string }>> = {
  decisions: { path: "/v1/decisions", base: "" },
  systemone: { path: "/v1/systemone", base: "" },
  openrouter: { path: "/api/v1/systemone", base: "/api/v1" },
  openai: { path: "/openai/v1/decisions", base: "/openai/v1" },
}
