"use client"
import type { ReactNode } from "react"
import { CopyButton } from "@/components/ui/copy-button"
import { Cost } from "@/components/ui/money"
import { TextLink } from "@/components/ui/text-link"
import { countOf, formatCount, formatDateTime, formatRelative } from "@/lib/shared/format"
import type { Outcome } from "@/lib/shared/runs/read-outcome"

type Answered = Extract<Outcome, { kind: "answered" }>

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline gap-x-3">
      <dt className="w-24 shrink-0 text-ink-muted">{label}</dt>
      <dd className="min-w-0 break-words tabular-nums">{children}</dd>
    </div>
  )
}

function rateOf({ exchange }: Answered): string | null {
  const header = (name: string) => {
    const text = exchange.headers.find(([key]) => key === `x-ratelimit-${name}`)?.[1]
    return text && formatCount(Number(text))
  }
  const [limit, remaining, used, reset] = ["limit", "remaining", "used", "reset"].map(header)
  return limit ? `${remaining} of ${limit} left, ${used} used, resets in ${reset} s` : null
}

interface RunSummaryProps {
  outcome: Answered
  /** When it ran (ISO 8601). Undefined when it ran just now, or the page shows the time elsewhere. */
  at: string | undefined
  /** Shown before "Details". It ends with its own separator, " · ". */
  note: ReactNode
}

/** Shows what a run used in one line. Its details are one click away, so that the answers come first. */
export function RunSummary({ outcome, at, note }: RunSummaryProps) {
  const { model, tokens, costUsd, requestId, exchange } = outcome
  const requested = exchange.request.model
  const rate = rateOf(outcome)
  return (
    <details aria-label="Summary" className="text-sm">
      <summary className="list-none rounded-sm text-ink-muted tabular-nums pointer-coarse:py-3 [&::-webkit-details-marker]:hidden">
        <span className="text-ink">{countOf(tokens, "token")}</span> ·{" "}
        {costUsd ? <Cost usd={costUsd} className="text-ink" /> : "cost: see Usage"} · {formatCount(exchange.latencyMs)}{" "}
        ms{at ? ` · ${formatRelative(new Date(at), new Date())}` : ""} · {note}
        <span className="text-accent underline">Details</span>
      </summary>
      <dl className="mt-2 mb-3 flex flex-col gap-1 rounded-md bg-sunken px-3 py-2">
        <Row label="Answered by">
          <span className="wrap-anywhere font-mono">{requested === model ? model : `${requested} → ${model}`}</span>
        </Row>
        {requestId ? (
          <Row label="Request id">
            <span className="flex flex-wrap items-center gap-x-3">
              <TextLink alone href={`/requests/${requestId}`} className="wrap-anywhere font-mono">
                {requestId}
              </TextLink>
              <CopyButton text={requestId} size="sm" variant="quiet" ariaLabel="Copy the request id" />
            </span>
          </Row>
        ) : null}
        {at ? <Row label="Run on">{formatDateTime(new Date(at))} UTC</Row> : null}
        {rate ? <Row label="Rate limit">{rate}</Row> : null}
      </dl>
    </details>
  )
}
