import type { Transport } from "./transport"

/**
 * Returns whether an engine's HTTP server responds, without waiting for its queue: `GET /health`, or the list of models
 * where that route is missing. Returns false while a model loads. Never rejects.
 */
export async function isResponding(transport: Transport, signal: AbortSignal): Promise<boolean> {
  try {
    const { status } = await transport.call("GET", "/health", null, signal)
    if (status !== 404) return status === 200
    return (await transport.call("GET", "/v1/models", null, signal)).status === 200
  } catch {
    return false
  }
}
