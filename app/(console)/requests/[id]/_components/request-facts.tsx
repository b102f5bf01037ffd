import { CopyButton } from "@/components/ui/copy-button"
import { Fact, Facts } from "@/components/ui/fact"
import { Cost, Money } from "@/components/ui/money"
import { TextLink } from "@/components/ui/text-link"
import type { RequestDetail } from "@/lib/server/usage/request-details"
import type { LoggedRequest } from "@/lib/server/usage/request-row"
import { countOf, formatCount, formatExactTime, formatMs } from "@/lib/shared/format"
import type { KeySummary } from "@/lib/shared/keys/schema"
import { countQuestions } from "../../_components/count-questions"

interface RequestFactsProps {
  request: LoggedRequest
  /** The key that the request was sent with, or charged to. */
  apiKey: KeySummary | null
  /** Null once they were dropped. */
  details: RequestDetail | null
}

/** Shows who sent a request and when, what it asked for in numbers, and what it cost. */
export function RequestFacts({ request, apiKey, details }: RequestFactsProps) {
  const { id, at, keyId, keyName, model, status, code, latencyMs, charge } = request
  return (
    <Facts label="Request">
      <Fact label="Id">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="break-all font-mono text-sm">{id}</span>
          <CopyButton text={id} size="sm" variant="quiet" ariaLabel="Copy the request id" />
        </span>
      </Fact>
      <Fact label="Ended">{formatExactTime(new Date(at))}</Fact>
      <Fact label="Result">{endingOf(status, code)}</Fact>
      <Fact label="Latency">{formatMs(latencyMs)}</Fact>
      <Fact label="Key" hint={memberOf(apiKey)}>
        <TextLink alone href={`/keys/${keyId}`} className="wrap-anywhere">
          {apiKey?.name ?? keyName}
        </TextLink>
      </Fact>
      <Fact label="Model" hint={details?.alias ? `Sent as ${details.alias}` : null}>
        <span className="break-all font-mono text-sm">{model ?? "Not known when the request ended"}</span>
      </Fact>
      <Fact label="Cost" hint={charge ? <Price usd={charge.pricePerMillionUsd} /> : null}>
        {charge ? <Cost as="exact" usd={charge.costUsd} /> : "Not charged"}
      </Fact>
      <Fact label="Input tokens" hint={charge ? partsOf(details) : null}>
        {charge ? formatCount(charge.tokens) : "–"}
      </Fact>
      {charge ? <Fact label="Questions">{countQuestions(charge.questionCounts)}</Fact> : null}
      {charge && charge.tags.length > 0 ? (
        <Fact label="Tags">
          <span className="break-all">{charge.tags.join(" ")}</span>
        </Fact>
      ) : null}
      {details && (details.retries > 0 || details.repeats) ? (
        <Fact
          label="Probably a retry"
          hint={
            details.retries > 0 ? `Its headers say that it was sent ${countOf(details.retries, "time")} before.` : null
          }
        >
          {details.repeats ? (
            <>
              Of a request with the same key, size and shape within two minutes:{" "}
              <TextLink href={`/requests/${details.repeats}`} className="break-all font-mono text-sm">
                {details.repeats}
              </TextLink>
            </>
          ) : (
            "Yes"
          )}
        </Fact>
      ) : null}
    </Facts>
  )
}

/** Returns how the tokens are divided; null if that is not known. */
const partsOf = (details: RequestDetail | null): string | null =>
  details?.stateTokens == null || details.questionTokens === null
    ? null
    : `State ${formatCount(details.stateTokens)}, questions ${formatCount(details.questionTokens)}`

const endingOf = (status: number, code: string | null): string => {
  if (code === null) return `${status} answered`
  return code === "client_gone" ? "The client left before the response" : `${status} ${code}`
}

function memberOf(key: KeySummary | null): string | null {
  if (key?.kind === "playground") return "Runs of the playground and of Evaluate, by any member"
  const creator = key?.createdBy
  return creator ? `Created by ${creator.email}${creator.isMember ? "" : ", who left the account"}` : null
}

function Price({ usd }: { usd: string | null }) {
  if (usd === null) return null
  return (
    <>
      <Money usd={usd} as="exact" /> per million tokens
    </>
  )
}
