"use client"
import { useSearchParams } from "next/navigation"
import { useMemo, useState } from "react"
import { Checkbox } from "@/components/ui/checkbox"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Section } from "@/components/ui/section"
import { Segments } from "@/components/ui/segments"
import { draftRequests } from "@/lib/shared/evaluate/run/draft-requests"
import type { RobustnessCheck, StabilityCheck } from "@/lib/shared/evaluate/run/evaluation-run"
import { planRobustness, sampleRows } from "@/lib/shared/evaluate/run/plan-robustness"
import { appliesTo } from "@/lib/shared/evaluate/run/rewordings"
import { countOf, formatCount } from "@/lib/shared/format"
import { useAccount, useOpenSet, useOpenSetStore } from "../../model/open-set"
import { usePrice } from "../../run/use-price"
import type { RunControl } from "../../run/use-runner"
import { PayFields, StartForm } from "../run/new-run"
import { CHECK_NAMES, KIND_NAMES } from "./check-names"

const KINDS = [
  { value: "stability", label: KIND_NAMES.stability },
  { value: "ablation", label: KIND_NAMES.ablation },
] as const

const INTRODUCTIONS = {
  stability:
    "Ask about each row again in ways that should not change the answer. An answer that changes is not stable.",
  ablation:
    "Leave out one part of each row at a time: a field of a JSON object, or a paragraph, line or sentence of a text. The results show which parts the answer depends on.",
} as const

const FIRST_SAMPLE = 25
/** Each row takes several requests, and further rows add little information. */
const MAX_SAMPLE = 200

const CHECKS = Object.keys(CHECK_NAMES) as StabilityCheck[]

/** Indexes of the rows that can be asked about; undefined until the rows are read. */
export type UsableRows = readonly number[] | undefined

interface CheckChoice {
  kind: RobustnessCheck["kind"]
  unwanted: StabilityCheck[]
  rowCount: number
  model: string
  keyId: string
}

/** Returns the draft of a robustness check with its requests (null when there are none), undefined until the rows are read. */
function useCheckDraft(
  { kind, unwanted, rowCount, model: modelId, keyId }: CheckChoice,
  possible: StabilityCheck[],
  usable: UsableRows,
) {
  const { models } = useAccount()
  const { getState } = useOpenSetStore()
  const form = useOpenSet(({ set }) => set.form)
  const checks = possible.filter((check) => !unwanted.includes(check)).join()
  return useMemo(() => {
    if (!usable) return undefined
    const { set, rows } = getState()
    const robustness: RobustnessCheck =
      kind === "ablation" ? { kind } : { kind, checks: CHECKS.filter((each) => checks.includes(each)) }
    const plan = planRobustness(set, rows, robustness, sampleRows(usable, rowCount))
    const model = models.find(({ id }) => id === modelId) ?? models[0]
    const draft = {
      form: { ...form, keyId, model: model?.id ?? modelId, modelSpelled: undefined },
      mapping: set.mapping,
      pinnedId: model?.pinnedId ?? modelId,
      robustness,
      rows: plan.rows,
    }
    return { draft, leftOut: plan.leftOut, requests: draftRequests(set, rows, draft) }
  }, [usable, checks, kind, rowCount, form, modelId, keyId, models, getState])
}

/** Lets the user choose a robustness check and its rows, shows the price, and starts it. */
export function NewRobustnessCheck({ control, usable }: { control: RunControl; usable: UsableRows }) {
  const { models } = useAccount()
  const form = useOpenSet(({ set }) => set.form)
  const most = usable?.length ?? 0
  const asked = useSearchParams().get("robustness")
  const [choice, setChoice] = useState<CheckChoice>({
    kind: asked === "ablation" ? "ablation" : "stability",
    unwanted: [],
    rowCount: FIRST_SAMPLE,
    model: form.model,
    keyId: form.keyId,
  })
  const { kind, unwanted, rowCount, keyId } = choice
  const possible = CHECKS.filter((check) => form.questions.some((question) => appliesTo(check, question)))
  const drafted = useCheckDraft(choice, possible, usable)
  const price = usePrice(drafted?.requests)
  const change = (next: Partial<CheckChoice>) => setChoice({ ...choice, ...next })
  const begin = (capUsd: string | null) => {
    if (drafted) void control.begin([{ ...drafted.draft, capUsd }])
  }
  const requests = drafted?.draft.rows.length ?? 0
  return (
    <Section id="new-check" title="Check how robust the answers are" className="max-w-3xl print:hidden">
      <Segments legend="What to check" options={KINDS} value={kind} onValue={(next) => change({ kind: next })} />
      <p className="max-w-text text-ink-muted">{INTRODUCTIONS[kind]}</p>
      {kind === "stability" ? (
        <CheckFields possible={possible} unwanted={unwanted} onUnwanted={(next) => change({ unwanted: next })} />
      ) : null}
      {most > 1 ? (
        <SampleField rowCount={rowCount} most={most} onRowCount={(next) => change({ rowCount: next })} />
      ) : null}
      {kind === "ablation" ? <LeftOut rows={drafted?.leftOut ?? 0} /> : null}
      <PayFields model={models.find(({ id }) => id === choice.model) ?? models[0]} keyId={keyId} onChange={change} />
      {kind === "stability" && possible.every((check) => unwanted.includes(check)) ? (
        <p role="status">Select at least one way to ask again.</p>
      ) : (
        <StartForm
          price={price}
          requests={requests}
          keyId={keyId}
          pinnedId={drafted?.draft.pinnedId ?? ""}
          label={`Send ${countOf(requests, "request")}`}
          onBegin={begin}
        />
      )}
    </Section>
  )
}

function LeftOut({ rows }: { rows: number }) {
  if (rows === 0) return null
  return (
    <p className="text-ink-muted text-sm">
      {countOf(rows, "row")} {rows === 1 ? "has" : "have"} one part only and cannot be checked.
    </p>
  )
}

interface CheckFieldsProps {
  possible: StabilityCheck[]
  unwanted: StabilityCheck[]
  onUnwanted: (unwanted: StabilityCheck[]) => void
}

function CheckFields({ possible, unwanted, onUnwanted }: CheckFieldsProps) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 font-medium">Ask each row again</legend>
      {possible.map((check) => (
        <Checkbox
          key={check}
          label={CHECK_NAMES[check].label}
          hint={CHECK_NAMES[check].hint}
          checked={!unwanted.includes(check)}
          onChange={({ target }) =>
            onUnwanted(target.checked ? unwanted.filter((other) => other !== check) : [...unwanted, check])
          }
        />
      ))}
    </fieldset>
  )
}

interface SampleFieldProps {
  rowCount: number
  most: number
  onRowCount: (rowCount: number) => void
}

function SampleField({ rowCount, most, onRowCount }: SampleFieldProps) {
  const limit = Math.min(most, MAX_SAMPLE)
  return (
    <Field
      label="Rows"
      hint={`Drawn at random from ${countOf(most, "row")}, the same ones each time. At most ${formatCount(limit)}.`}
      className="max-w-xs"
    >
      <Input
        type="number"
        min={1}
        max={limit}
        defaultValue={Math.min(rowCount, limit)}
        onChange={({ target }) => {
          const value = Math.floor(target.valueAsNumber)
          if (value >= 1) onRowCount(Math.min(value, limit))
        }}
      />
    </Field>
  )
}
