import type { IncomingMessage, ServerResponse } from "node:http"
import { runtime } from "@/lib/server/platform/runtime"
import type { SigningKey } from "@/lib/server/signing/signing-keys"
import type { ComponentStatus, StatusReport } from "@/lib/server/status/read-status"
import { RequestRecord } from "./request-record"

const texts = new WeakMap<StatusReport, string>()

const partOf = ({ component, model, state, downSince, hours, days }: ComponentStatus) => ({
  component,
  model,
  status: state,
  down_since: downSince,
  uptime_24h: hours.total,
  uptime_90d: days.total,
  hours: { start: hours.start, uptime: hours.steps, counted: hours.counted },
  days: { start: days.start, uptime: days.steps, counted: days.counted },
})

const keyOf = ({ id, publicKey, retiredAt }: SigningKey) => ({ id, public_key: publicKey, retired_at: retiredAt })

const render = ({ at, state, components, signingKeys }: StatusReport): string =>
  JSON.stringify({ at, status: state, components: components.map(partOf), signing_keys: signingKeys.map(keyOf) })

/** Returns the report as JSON text, which is rendered once. */
function textOf(report: StatusReport): string {
  const text = texts.get(report) ?? render(report)
  texts.set(report, text)
  return text
}

/** `GET /status.json`: which parts of the service work and worked, and its signing keys, for anyone. */
export const answerStatus = (_request: IncomingMessage, response: ServerResponse): Promise<void> =>
  new RequestRecord("/status.json", response).answer(async () => {
    const report = runtime().statusReports.current(runtime())
    const text = textOf(report)
    // An outage must not be shown by caches after its end, nor hidden at its start for long.
    const maxAge = report.state === "up" ? 30 : 5
    response.writeHead(200, { "content-type": "application/json", "cache-control": `public, max-age=${maxAge}` })
    response.end(text)
  })
