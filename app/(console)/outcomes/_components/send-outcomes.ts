import { type ActionError, type ActionResult, callAction } from "@/components/form/call-action"
import { formatCount } from "@/lib/shared/format"
import type { OutcomeRequest } from "@/lib/shared/outcomes/outcome-request"
import { type FileOutcome, partsOf } from "@/lib/shared/outcomes/outcomes-file"

type Send = (request: OutcomeRequest) => Promise<ActionResult<{ stored: number }>>

/** How often a part is sent while the account is over its rate. */
const ATTEMPTS = 10
const RATE_WINDOW_MS = 1_000

const afterRateWindow = () => new Promise((resolve) => setTimeout(resolve, RATE_WINDOW_MS))

async function sendPart(request: OutcomeRequest, send: Send): Promise<ActionResult<{ stored: number }>> {
  for (let attempt = 1; ; attempt++) {
    const result = await callAction(send, request)
    if (result.ok || result.error.code !== "rate_limited" || attempt === ATTEMPTS) return result
    await afterRateWindow()
  }
}

/** Returns the error of a part with the line of the file that it is about, and with what is stored already. */
function errorOf(error: ActionError, part: FileOutcome[], stored: number): ActionError {
  const place = /^outcomes\.(\d+)\./.exec(error.param ?? "")?.[1]
  const line = place === undefined ? undefined : part[Number(place)]?.line
  const before =
    stored === 0
      ? ""
      : ` The first ${formatCount(stored)} outcomes of the file are stored. Uploading it again replaces them.`
  return { ...error, message: `${line === undefined ? "" : `Line ${line}: `}${error.message}${before}` }
}

/**
 * Sends the outcomes of a file in one call or several, and reports after each how many were sent. Returns the error of the first call
 * that fails, or null.
 */
export async function sendOutcomes(
  outcomes: readonly FileOutcome[],
  sampledShare: number | undefined,
  send: Send,
  onSent: (count: number) => void,
): Promise<ActionError | null> {
  const share = sampledShare === undefined ? {} : { sampled_share: sampledShare }
  let sent = 0
  for (const part of partsOf(outcomes)) {
    const result = await sendPart({ outcomes: part.map(({ outcome }) => outcome), ...share }, send)
    if (!result.ok) return errorOf(result.error, part, sent)
    sent += part.length
    onSent(sent)
  }
  return null
}
