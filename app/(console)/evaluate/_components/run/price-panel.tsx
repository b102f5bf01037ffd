"use client"
import { useMemo } from "react"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { Fact } from "@/components/ui/fact"
import { LinkButton } from "@/components/ui/link-button"
import { Cost, Money } from "@/components/ui/money"
import { Progress } from "@/components/ui/progress"
import { ASK_FOR_CREDIT } from "@/lib/shared/billing/ask-for-credit"
import { forecastMs, forecastText, meanLatencyMs } from "@/lib/shared/evaluate/run/forecast-time"
import type { Price, PricedRequests } from "@/lib/shared/evaluate/run/price-run"
import { formatCount, formatUsd } from "@/lib/shared/format"
import { parseUsd, pico, usd12 } from "@/lib/shared/money"
import { useAccount, useOpenSet } from "../../model/open-set"
import { maxInFlight } from "../../run/in-flight"
import { showTab } from "../address"

interface PricePanelProps {
  price: Price
  /** How many are to be sent, in one run or several. */
  requests: number
  keyId: string
  /** The model that will answer. */
  pinnedId: string
}

/** Shows what requests will cost, with the range, beside what can be spent. */
export function PricePanel({ price, ...props }: PricePanelProps) {
  if (price.phase === "impossible") return <Impossible />
  if (price.phase === "failed")
    return (
      <Alert tone="warn">
        The tokens could not be counted, so no cap is suggested. You can still run. Enter a cap to limit the cost.
      </Alert>
    )
  if (price.phase === "counting")
    return (
      <div className="flex flex-col gap-1 text-ink-muted text-sm">
        <span aria-hidden>Counting the tokens of a sample…</span>
        <Progress label="Counting the tokens of a sample" value={price.share} max={1} />
      </div>
    )
  return <Priced price={price} {...props} />
}

function Impossible() {
  return (
    <Alert
      tone="warn"
      title="There is nothing to run yet"
      action={
        <Button variant="secondary" size="sm" onClick={() => showTab("questions")}>
          Go to the questions
        </Button>
      }
    >
      Complete the questions, and check under Rows that at least one row can be used.
    </Alert>
  )
}

/** Returns the mean latency of the shown run's answers, if the same model gave them. */
function useMeasuredLatency(pinnedId: string): number | null {
  const results = useOpenSet(({ run, results: shown }) => (run?.pinnedId === pinnedId ? shown : null))
  return useMemo(() => results && meanLatencyMs(results), [results])
}

function Priced({ price, requests, keyId, pinnedId }: PricePanelProps & { price: PricedRequests }) {
  const { balanceUsd, mayPay, keys, rates } = useAccount()
  const { high: most } = price
  const balance = parseUsd(balanceUsd) ?? 0n
  const key = keys.find(({ id }) => id === keyId)
  const left = key?.limitUsd ? (parseUsd(key.limitUsd) ?? 0n) - (parseUsd(key.spentUsd) ?? 0n) : null
  const latencyMs = useMeasuredLatency(pinnedId)
  const time = forecastMs(requests, { perSecond: rates.evaluate, inFlight: maxInFlight(), latencyMs })
  return (
    <>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 rounded-lg border border-line bg-surface p-4 sm:grid-cols-4">
        <Fact label="Price">
          <Cost usd={usd12(price.cost)} />
        </Fact>
        <Fact label="Range">
          <Range low={usd12(price.low)} high={usd12(most)} isExact={price.isExact} />
        </Fact>
        <Fact label="Tokens">{formatCount(price.tokens)}</Fact>
        <Fact label={latencyMs === null ? "Time, at least" : "Time, about"}>{forecastText(time)}</Fact>
      </dl>
      <p className="text-ink-muted text-sm">
        {price.isExact
          ? "Every request was counted."
          : `Exact tokens of ${price.counted} requests from the shortest to the longest; the range holds for about 95 of 100 such sets.`}{" "}
        Refused and failed requests are free.
      </p>
      {/* The banner above the page warns of a balance of zero or below. */}
      {balance > 0n && most > balance ? (
        <Alert
          tone="warn"
          action={
            mayPay ? (
              <LinkButton href="/billing/top-up" variant="secondary" size="sm">
                Top up
              </LinkButton>
            ) : null
          }
        >
          The balance of <Money as="balance" usd={balanceUsd} /> may not be enough. The run pauses when it is used up,
          and continues after a top-up.{mayPay ? null : ` ${ASK_FOR_CREDIT}`}
        </Alert>
      ) : null}
      {left !== null && most > left ? (
        <Alert tone="warn">
          The key “{key?.name}” has <Money as="balance" usd={usd12(pico(left < 0n ? 0n : left))} /> left of its limit.
          The run pauses when it is reached.
        </Alert>
      ) : null}
    </>
  )
}

function Range({ low, high, isExact }: { low: string; high: string; isExact: boolean }) {
  if (isExact) return "Exact"
  // Below a cent of difference the rounded amounts would be equal.
  if (formatUsd(low) === formatUsd(high))
    return `within ${formatUsd(usd12(pico((parseUsd(high) ?? 0n) - (parseUsd(low) ?? 0n))))}`
  return (
    <>
      <Money usd={low} /> to <Money usd={high} />
    </>
  )
}
