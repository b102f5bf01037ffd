import { createHash, timingSafeEqual } from "node:crypto"
import type { IncomingMessage } from "node:http"
import { isLocalOnly } from "@/lib/server/auth/local-only"
import { METRICS_TYPE } from "@/lib/server/platform/metrics"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import type { RouteHandler } from "./public-routes"
import { assignRequestId } from "./request-id"
import { sendError } from "./respond"

const DATABASE_LIMIT_MS = 1_000

const sha256 = (text: string) => createHash("sha256").update(text).digest()

/** A scrape comes from this machine, by the outbox's rule, or brings `METRICS_TOKEN`. */
function mayScrape(request: IncomingMessage): boolean {
  const { env } = runtime()
  if (isLocalOnly(Object.entries(request.headers), request.socket.remoteAddress, env)) return true
  const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1]
  return Boolean(env.METRICS_TOKEN && given && timingSafeEqual(sha256(given), sha256(env.METRICS_TOKEN)))
}

/** Counted through the partial index that the sweeper uses: a scrape reads open holds only, however many have closed. */
async function countOpenHolds(): Promise<number | null> {
  const count = runtime()
    .pool.query<{ open: number }>("SELECT count(*)::int AS open FROM hold WHERE state = 'held'")
    .then(({ rows }) => rows[0]?.open ?? null)
    .catch(() => null)
  const late = new Promise<null>((resolve) => setTimeout(resolve, DATABASE_LIMIT_MS, null).unref())
  return Promise.race([count, late])
}

/** `GET /metrics` in Prometheus's text format; for anybody else there is nothing here. */
export const answerMetrics: RouteHandler = async (request, response, inFlight) => {
  assignRequestId(response)
  if (!mayScrape(request)) return sendError(response, new ServiceError("not_found"))
  const { metrics, catalogue, engines, rates } = runtime()
  const text = await metrics.render({
    inFlight: inFlight.count,
    openHolds: await countOpenHolds(),
    engines: catalogue
      .pinned()
      .filter((model) => model.status === "active")
      .map(({ id }) => ({ model: id, available: engines.availability(id).available })),
    redis: rates.redis,
  })
  response.writeHead(200, { "content-type": METRICS_TYPE, "cache-control": "no-store" })
  response.end(text)
}
