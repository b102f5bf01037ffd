import type { IncomingMessage, ServerResponse } from "node:http"
import { z } from "zod"
import { reportAccount } from "@/lib/server/accounts/report-account"
import { verifyAccountToken } from "@/lib/server/accounts/verify-account-token"
import { requireWithinRate } from "@/lib/server/limits/fixed-rates"
import type { TokenActor } from "@/lib/server/platform/actor"
import { clientBlock } from "@/lib/server/platform/client-address"
import { runtime } from "@/lib/server/platform/runtime"
import { ReportUsageInput, reportUsage, usageAsCsv } from "@/lib/server/usage/report-usage"
import { ServiceError } from "@/lib/shared/errors"
import { RequestRecord } from "./request-record"
import { sendText } from "./respond"
import type { Route } from "./route"

interface Report {
  type: "application/json" | "text/csv; charset=utf-8"
  text: string
}

const asJson = (body: object): Report => ({ type: "application/json", text: JSON.stringify(body) })

/** Returns the query of a request by name. Throws `invalid_request` when a name is given twice. */
function queryOf({ url = "/" }: IncomingMessage): Record<string, string> {
  const { searchParams } = new URL(url, "http://service")
  const query = Object.fromEntries(searchParams)
  if (Object.keys(query).length === searchParams.size) return query
  throw new ServiceError("invalid_request", { message: "Give each parameter once." })
}

/** Parses a query. Throws `invalid_request` with the name and message of the first invalid parameter. */
function parseQuery<Schema extends z.ZodType>(Query: Schema, query: unknown): z.output<Schema> {
  const parsed = Query.safeParse(query)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const param = issue?.path.join(".")
  const message = issue?.message
  throw new ServiceError("invalid_request", { ...(param ? { param } : {}), message, cause: parsed.error })
}

/** Returns a route that reads an account for a program with an account token. */
function reportRoute<Schema extends z.ZodType>(
  path: string,
  Query: Schema,
  report: (actor: TokenActor, query: z.output<Schema>) => Promise<Report>,
): Route {
  const handle = (request: IncomingMessage, response: ServerResponse) =>
    new RequestRecord(path, response).answer(async () => {
      const client = clientBlock(request, runtime().env.TRUSTED_PROXY_HOPS)
      const actor = await verifyAccountToken(runtime(), request.headers.authorization, client)
      await requireWithinRate(runtime(), "reports", actor.tokenId)
      const { type, text } = await report(actor, parseQuery(Query, queryOf(request)))
      sendText(response, 200, type, text)
    })
  return { path, method: "GET", serve: "console", handle }
}

/** `GET /api/account`: balance, holds, rate limits, keys and this month's spend. */
export const accountReport = reportRoute("/api/account", z.object({}), async (actor) =>
  asJson(await reportAccount(runtime(), actor)),
)

/** `GET /api/usage`: charges by day, key and model, as JSON or CSV. */
export const usageReport = reportRoute("/api/usage", ReportUsageInput, async (actor, query) => {
  const report = await reportUsage(runtime(), actor, query)
  return query.format === "csv" ? { type: "text/csv; charset=utf-8", text: usageAsCsv(report) } : asJson(report)
})
