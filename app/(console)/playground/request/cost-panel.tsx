"use client"
import { memo, useId } from "react"
import { KeyField, limitText } from "@/components/run-choices"
import { Fact } from "@/components/ui/fact"
import { Meter } from "@/components/ui/meter"
import { Cost } from "@/components/ui/money"
import { countOf, formatCost, formatCount, formatPrice } from "@/lib/shared/format"
import { describeExcess, excessOf, type RunCost } from "@/lib/shared/runs/run-cost"
import { useAccount, useDispatch, useIsCounting, usePlayground, useRunCost } from "../model/playground-store"

export function CostPanel() {
  const cost = useRunCost()
  const isCounting = useIsCounting()
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      aria-busy={isCounting}
      className="@container flex flex-col gap-3 border-line border-t pt-4"
    >
      <div className="flex items-baseline justify-between">
        <h2 id={id} className="font-medium">
          Cost of a run
        </h2>
        {isCounting ? <span className="text-ink-muted text-sm">Counting…</span> : null}
      </div>
      {cost || isCounting ? (
        <Figures cost={cost} />
      ) : (
        <p className="text-ink-muted">Complete the request to see its cost.</p>
      )}
      <Payer />
      {cost ? <Parts cost={cost} /> : null}
    </section>
  )
}

/**
 * Shows dashes until the first count, so that nothing below moves when it arrives. Memoized, as are the parts and the payer: a
 * keystroke renders only whether the count is up to date.
 */
const Figures = memo(function Figures({ cost }: { cost: RunCost | null }) {
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3 @md:grid-cols-4">
      <Fact label="Billable tokens">{cost ? formatCount(cost.tokens) : "–"}</Fact>
      <Fact label="Per run">{cost ? <Cost usd={cost.costUsd} /> : "–"}</Fact>
      <Fact label="Per 1,000 runs">{cost ? <Cost usd={cost.per1000Usd} /> : "–"}</Fact>
      <Fact label="Runs left">{cost ? (cost.runsLeft ?? "Unlimited (free)") : "–"}</Fact>
    </dl>
  )
})

const Payer = memo(function Payer() {
  const { keys, rates } = useAccount()
  const dispatch = useDispatch()
  const keyId = usePlayground(({ request }) => request.form.keyId)
  const isReady = usePlayground((state) => state.isReady)
  const rate = countOf(Math.min(rates.perAccount, rates.perKey), "request")
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <KeyField
        isInline
        keys={keys}
        value={keyId}
        disabled={!isReady}
        className="w-72 max-w-full"
        onChoose={(next) => dispatch({ type: "key_chosen", keyId: next })}
      />
      <p className="text-ink-muted text-sm tabular-nums">
        {limitText(keys.find(({ id }) => id === keyId))}, {rate}/s
      </p>
    </div>
  )
})

const Parts = memo(function Parts({ cost }: { cost: RunCost }) {
  const price = formatPrice(cost.priceUsd)
  return (
    <details>
      <summary className="w-fit text-accent underline pointer-coarse:py-3">Cost breakdown</summary>
      <table className="mt-2 w-full text-sm tabular-nums">
        <thead>
          <tr className="border-line border-b text-left text-ink-muted">
            <th className="py-1 font-normal">Part</th>
            <th className="py-1 pl-3 text-right font-normal">Tokens</th>
            <th className="py-1 pl-3 text-right font-normal">Cost</th>
          </tr>
        </thead>
        <tbody>
          <tr className="border-line border-b">
            <td className="py-1">State, once</td>
            <td className="py-1 pl-3 text-right">{formatCount(cost.stateTokens)}</td>
            <td className="py-1 pl-3 text-right">{cost.stateUsd ? formatCost(cost.stateUsd) : "–"}</td>
          </tr>
          {cost.questions.map(({ name, tokens, costUsd }) => (
            <tr key={name} className="border-line border-b">
              <td className="wrap-anywhere py-1 font-mono">{name}</td>
              <td className="py-1 pl-3 text-right">{formatCount(tokens)}</td>
              <td className="py-1 pl-3 text-right">{costUsd ? formatCost(costUsd) : "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-2 text-ink-muted text-sm">
        {price === "Free" ? "Free on" : `${price} per 1,000,000 tokens of`}{" "}
        <span className="wrap-anywhere font-mono">{cost.model}</span>. Refused and failed requests are free.
      </p>
    </details>
  )
})

export function StateTokens() {
  const cost = useRunCost()
  if (!cost) return <p className="text-ink-muted text-sm">Tokens: not counted yet</p>
  const { input, stateTokens } = cost
  const excess = excessOf(cost)
  if (!input) return <p className="text-ink-muted text-sm tabular-nums">{countOf(stateTokens, "token")}</p>
  const parts = `state ${formatCount(stateTokens)} + longest question ${formatCount(input.tokens - stateTokens)}`
  const label = `${formatCount(input.tokens)} of ${countOf(input.limit, "token")} (${parts})`
  return (
    <div className="text-ink-muted text-sm">
      <Meter value={input.tokens / input.limit} label={label} />
      {excess ? <p className="mt-1 font-medium text-danger">{describeExcess(excess)}</p> : null}
    </div>
  )
}
