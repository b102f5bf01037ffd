"use client"
import { Play } from "lucide-react"
import { useMemo, useState } from "react"
import { KeyField, limitText, ModelField, priceText } from "@/components/run-choices"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Money } from "@/components/ui/money"
import { Section } from "@/components/ui/section"
import { Segments } from "@/components/ui/segments"
import type { RowSummary } from "@/lib/shared/evaluate/rows/summarize-rows"
import { type DraftRequests, draftRequests } from "@/lib/shared/evaluate/run/draft-requests"
import { PILOT_ROWS, PILOT_SEED, stratifiedSample } from "@/lib/shared/evaluate/run/pilot-rows"
import type { Price } from "@/lib/shared/evaluate/run/price-run"
import { countOf } from "@/lib/shared/format"
import { ceilToCent, parseUsd, pico, usd12 } from "@/lib/shared/money"
import type { ModelChoice } from "@/lib/shared/runs/model-choice"
import { useAccount, useOpenSet, useOpenSetStore } from "../../model/open-set"
import { usePrice } from "../../run/use-price"
import type { RunControl } from "../../run/use-runner"
import { MissingLabels } from "./missing-labels"
import { PricePanel } from "./price-panel"

/**
 * Returns the suggested cap as USD text: 110% of the price's upper end plus the cost of the largest request, rounded up to a
 * cent. Empty for a free model, and while there is no price.
 */
function suggestedCap(price: Price): string {
  if (price.phase !== "priced") return ""
  if (price.high === 0n) return ""
  return usd12(ceilToCent(pico((price.high * 11n) / 10n + price.most))).slice(0, -10)
}

/** Lets the user choose rows, model, key and cap, shows the price, and starts a run of every different state or a pilot. */
export function NewRun({ control }: { control: RunControl }) {
  const { models } = useAccount()
  const { getState, changeSet } = useOpenSetStore()
  const model = useOpenSet(({ set }) => set.form.model)
  const keyId = useOpenSet(({ set }) => set.form.keyId)
  const summary = useOpenSet((state) => state.summary)
  const isAgain = useOpenSet(({ run }) => run !== null)
  const chosen = models.find(({ id }) => id === model) ?? models[0]
  const pinnedId = chosen?.pinnedId ?? model
  const [isPilot, setPilot] = useState(false)
  const pilot = usePilot(summary)
  const chosenRows = (isPilot ? pilot : null) ?? summary
  const price = usePrice(useSetRequests(chosenRows, pinnedId))
  const change = (next: { model?: string; keyId?: string }) =>
    changeSet({ form: { ...getState().set.form, modelSpelled: undefined, ...next } })
  const begin = (capUsd: string | null) => {
    const { form, mapping } = getState().set
    void control.begin([{ form, mapping, pinnedId, capUsd, rows: chosenRows?.distinct ?? [] }])
  }
  const all = summary?.distinct.length ?? 0
  const rows = chosenRows?.distinct.length ?? 0
  const copies = (summary?.usable.length ?? 0) - all
  return (
    <Section id="new-run" title={isAgain ? "Run again" : "Run"}>
      {chosen?.caution ? <Alert tone="warn">{chosen.caution}</Alert> : null}
      <PayFields model={chosen} keyId={keyId} onChange={change} />
      <MissingLabels />
      {copies > 0 ? (
        <p className="text-ink-muted text-sm">
          {countOf(copies, "row")} {copies === 1 ? "has" : "have"} the same state as another row. Copies are asked and
          charged once, and share the answer.
        </p>
      ) : null}
      {pilot ? <PilotChoice rows={all} isPilot={isPilot} onPilot={setPilot} /> : null}
      <StartForm
        {...{ price, keyId, pinnedId }}
        requests={rows}
        label={isPilot && pilot ? `Run a pilot of ${rows} rows` : `Run ${countOf(rows, "row")}`}
        onBegin={begin}
      />
    </Section>
  )
}

/** The rows to ask, and the bytes of their states. */
type AskedStates = Pick<RowSummary, "distinct" | "stateBytes">

/** Draws a pilot from a set of more than twice as many rows; null for smaller ones. */
function usePilot(summary: RowSummary | null): AskedStates | null {
  return useMemo(() => {
    if (!summary || summary.distinct.length <= 2 * PILOT_ROWS) return null
    const drawn = stratifiedSample(summary.stateLabels, PILOT_ROWS)
    const pick = (values: number[]) => drawn.map((at) => values[at] ?? 0)
    return { distinct: pick(summary.distinct), stateBytes: pick(summary.stateBytes) }
  }, [summary])
}

interface PilotChoiceProps {
  rows: number
  isPilot: boolean
  onPilot: (isPilot: boolean) => void
}

function PilotChoice({ rows, isPilot, onPilot }: PilotChoiceProps) {
  return (
    <div className="flex flex-col gap-2">
      <Segments
        legend="Rows to ask"
        options={[
          { value: "all", label: `All ${countOf(rows, "row")}` },
          { value: "pilot", label: `Pilot of ${PILOT_ROWS}` },
        ]}
        value={isPilot ? "pilot" : "all"}
        onValue={(value) => onPilot(value === "pilot")}
      />
      <p className="max-w-text text-ink-muted text-sm">
        A pilot measures the time, and its results say how likely more rows are to reach your target.{" "}
        {isPilot
          ? `Its rows are drawn by seed ${PILOT_SEED}, with each label in its share. A full run asks them again.`
          : null}
      </p>
    </div>
  )
}

/** Returns the requests of a run of these states; undefined until the rows are read. */
export function useSetRequests(states: AskedStates | null, pinnedId: string): DraftRequests | null | undefined {
  const { getState } = useOpenSetStore()
  return useMemo(() => {
    if (!states) return undefined
    const { set, rows } = getState()
    const { form, mapping } = set
    return draftRequests(set, rows, { form, mapping, pinnedId, rows: states.distinct }, states.stateBytes)
  }, [states, pinnedId, getState])
}

interface PayFieldsProps {
  model: ModelChoice | undefined
  keyId: string
  onChange: (change: { model?: string; keyId?: string }) => void
}

/** Renders the choice of the model and of the key that pays, and what can be spent. */
export function PayFields({ model, keyId, onChange }: PayFieldsProps) {
  const { models, keys, balanceUsd } = useAccount()
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <ModelField models={models} value={model?.id ?? ""} onChoose={(next) => onChange({ model: next })} />
        <KeyField keys={keys} value={keyId} onChoose={(next) => onChange({ keyId: next })} />
      </div>
      <p className="text-ink-muted text-sm">
        {priceText(model)}. {limitText(keys.find(({ id }) => id === keyId))}. Balance{" "}
        <Money as="balance" usd={balanceUsd} />. Requests name{" "}
        <span className="wrap-anywhere font-mono">{model?.pinnedId}</span>, so that one model answers every row.
      </p>
    </>
  )
}

interface StartFormProps {
  price: Price
  requests: number
  keyId: string
  pinnedId: string
  label: string
  /** `capUsd` is exact USD text; null for no cap. */
  onBegin: (capUsd: string | null) => void
}

/** Shows the price of requests, lets the user set a cap, and starts them. */
export function StartForm({ price, requests, keyId, pinnedId, label, onBegin }: StartFormProps) {
  const [typedCap, setTypedCap] = useState<string | null>(null)
  const cap = typedCap ?? suggestedCap(price)
  const capPico = parseUsd(cap)
  // A run that starts before its price is known would have no cap.
  const isCounting = price.phase === "counting" && typedCap === null
  const isCapValid = cap.trim() === "" || (capPico !== null && capPico > 0n)
  return (
    <>
      <PricePanel {...{ price, requests, keyId, pinnedId }} />
      <div className="flex flex-wrap items-start gap-4">
        <Field
          label="Cost cap in USD"
          hint="We stop before a row would take the run over this cap. Leave it empty for no cap."
          error={isCapValid ? undefined : "Enter an amount such as 1.50."}
          className="w-72"
        >
          <Input inputMode="decimal" value={cap} onChange={({ target }) => setTypedCap(target.value)} />
        </Field>
        <Button
          className="mt-7"
          onClick={() => onBegin(capPico === null ? null : usd12(capPico))}
          disabled={price.phase === "impossible" || isCounting || requests === 0 || !isCapValid}
        >
          <Play aria-hidden className="size-3.5" />
          {label}
        </Button>
      </div>
    </>
  )
}
