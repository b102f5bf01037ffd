import { createEdge, type EdgeOptions } from "@/lib/server/api/edge"
import type { InFlight } from "@/lib/server/api/in-flight"
import type { Handler } from "@/lib/server/api/route"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { seedModels } from "@/lib/server/models/seed-models"
import type { Runtime } from "@/lib/server/platform/runtime"
import { afterFile } from "./after-file"
import { testRuntime } from "./database"
import { enginesAvailable } from "./engines-available"
import { urlOf } from "./listen"

export interface TestService {
  url: string
  runtime: Runtime
  databaseUrl: string
  inFlight: InFlight
  /** Sends `POST /v1/decisions`, as from a trusted proxy where one is expected. Objects are sent as JSON, text and bytes unchanged. */
  decide(token: string | null, body: unknown, headers?: Record<string, string>): Promise<Response>
}

interface ServiceOptions extends EdgeOptions {
  /** "all" adds the console's routes, without pages. */
  serve?: "api" | "all"
}

/** Starts an edge on a free port until the test file ends. `next` renders pages. */
export async function startEdge(serve: "api" | "all", next: Handler | null, options: EdgeOptions = {}) {
  const edge = createEdge(serve, next, options)
  await edge.listen({ port: 0, host: "127.0.0.1" })
  afterFile(async () => {
    edge.server.closeAllConnections()
    await edge.close()
  })
  return { edge, url: urlOf(edge.server) }
}

/** Starts the API on a new database and a free port, with the lexical baseline, which is free, behind the alias. */
export async function testService(
  settings: Record<string, string> = {},
  { serve = "api", ...options }: ServiceOptions = {},
): Promise<TestService> {
  const runtime = await testRuntime(settings)
  await seedModels(runtime)
  // Tests set the price that they need. Welcome credit would bring a demonstration price.
  await runtime.pool.query("UPDATE model SET price_pico = 0 WHERE engine = 'lexical'")
  await loadCatalogue(runtime)
  if (settings.ENGINE_URL) await enginesAvailable()
  const { edge, url } = await startEdge(serve, null, options)
  const decide: TestService["decide"] = (token, body, headers = {}) =>
    fetch(`${url}/v1/decisions`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(runtime.env.TRUSTED_PROXY_HOPS > 0 ? { "x-forwarded-for": "203.0.113.1" } : {}),
        ...headers,
      },
      body: typeof body === "string" || body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body),
    })
  return { url, runtime, databaseUrl: runtime.databaseUrl, inFlight: edge.inFlight, decide }
}
