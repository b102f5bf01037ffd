"use client"
import clsx from "clsx"
import type { ReactNode } from "react"
import { CopyButton } from "@/components/ui/copy-button"
import { Money } from "@/components/ui/money"
import { TextLink } from "@/components/ui/text-link"
import { formatCount } from "@/lib/shared/format"
import type { Outcome } from "@/lib/shared/runs/read-outcome"

function Figure({ label, className, children }: { label: string; className?: string; children: ReactNode }) {
  return (
    <div className={clsx("min-w-0", className)}>
      <dt className="text-ink-muted text-sm">{label}</dt>
      <dd className="break-words tabular-nums">{children}</dd>
    </div>
  )
}

function Rate({ outcome }: { outcome: Outcome }) {
  const header = (name: string) => {
    const text = outcome.exchange.headers.find(([key]) => key === `x-ratelimit-${name}`)?.[1]
    return text && formatCount(Number(text))
  }
  const [limit, remaining, used, reset] = ["limit", "remaining", "used", "reset"].map(header)
  if (!limit) return "–"
  return (
    <>
      {remaining} of {limit} left{" "}
      <span className="inline-block text-ink-muted text-sm">
        {used} used, <span className="whitespace-nowrap">resets in {reset} s</span>
      </span>
    </>
  )
}

export function RunSummary({ outcome }: { outcome: Extract<Outcome, { kind: "answered" }> }) {
  const { model, tokens, costUsd, requestId, exchange } = outcome
  const requested = exchange.request.model
  return (
    <section aria-label="Summary" className="@container">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 @md:grid-cols-4">
        <Figure label="Billable tokens">{formatCount(tokens)}</Figure>
        <Figure label="Cost">{costUsd ? <Money usd={costUsd} className="font-semibold" /> : "See Usage"}</Figure>
        <Figure label="Round trip">{formatCount(exchange.latencyMs)} ms</Figure>
        <Figure label="Rate limit">
          <Rate outcome={outcome} />
        </Figure>
        <Figure label="Answered by" className="col-span-full">
          <span className="wrap-anywhere font-mono text-sm">
            {requested === model ? model : `${requested} → ${model}`}
          </span>
        </Figure>
        {requestId ? (
          <Figure label="Request id" className="col-span-full">
            <span className="flex flex-wrap items-center gap-x-3">
              <TextLink alone href={`/usage?request=${requestId}`} className="wrap-anywhere font-mono text-sm">
                {requestId}
              </TextLink>
              <CopyButton text={requestId} size="sm" variant="quiet" ariaLabel="Copy the request id" />
            </span>
          </Figure>
        ) : null}
      </dl>
    </section>
  )
}
