"use client"
import { useState } from "react"
import { KeyField } from "@/components/run-choices"
import { Alert } from "@/components/ui/alert"
import { Section } from "@/components/ui/section"
import { SelectField } from "@/components/ui/select"
import { addPrices } from "@/lib/shared/evaluate/run/price-run"
import { countOf } from "@/lib/shared/format"
import type { ModelChoice } from "@/lib/shared/runs/model-choice"
import { useAccount, useOpenSet, useOpenSetStore } from "../../model/open-set"
import { usePrice } from "../../run/use-price"
import type { RunControl } from "../../run/use-runner"
import { showTab } from "../address"
import { MissingLabels } from "../run/missing-labels"
import { StartForm, useSetRequests } from "../run/new-run"
import { RunProblems } from "../run/run-problems"

/** Offers to run the set on the model that an alias names today and on the one it would name. */
export function AliasMove({ control }: { control: RunControl }) {
  const { models } = useAccount()
  const aliases = models.filter(({ id, pinnedId }) => id !== pinnedId)
  const pinned = models.filter(({ id, pinnedId }) => id === pinnedId)
  return (
    <Section
      id="alias-move"
      title="Before an alias moves"
      hint="Run the set on the model that the alias names today and on the one it would name. Both are ordinary runs at the usual price. Then compare them here."
      className="max-w-3xl border-line border-t pt-6 print:hidden"
    >
      {aliases.length > 0 && pinned.length > 1 ? (
        <MoveForm aliases={aliases} pinned={pinned} control={control} />
      ) : (
        <Alert>
          {aliases.length === 0
            ? "This service has no alias: every model id names one fixed model."
            : "This service has one model, so no alias can move yet."}
        </Alert>
      )}
    </Section>
  )
}

interface MoveFormProps {
  aliases: ModelChoice[]
  pinned: ModelChoice[]
  control: RunControl
}

function MoveForm({ aliases, pinned, control }: MoveFormProps) {
  const { keys } = useAccount()
  const { getState } = useOpenSetStore()
  const summary = useOpenSet((state) => state.summary)
  const form = useOpenSet(({ set }) => set.form)
  const [choice, setChoice] = useState({ alias: form.model, target: "", keyId: form.keyId })
  const alias = aliases.find(({ id }) => id === choice.alias) ?? aliases[0]
  const today = alias?.pinnedId ?? ""
  const targets = pinned.filter(({ id }) => id !== today)
  const target = targets.find(({ id }) => id === choice.target) ?? targets[0]
  const first = usePrice(useSetRequests(summary, today))
  const requests = useSetRequests(summary, target?.id ?? "")
  // Prices the runs sequentially, because the token count accepts at most five requests per second.
  const second = usePrice(first.phase === "counting" ? undefined : requests)
  const rows = summary?.distinct.length ?? 0
  const begin = async (capUsd: string | null) => {
    const { set } = getState()
    const { mapping } = set
    const draft = { mapping, capUsd, rows: summary?.distinct ?? [] }
    const asked = { ...set.form, keyId: choice.keyId, modelSpelled: undefined }
    const [from, to] = [alias?.id ?? "", target?.id ?? ""]
    const started = await control.begin([
      { ...draft, form: { ...asked, model: from }, pinnedId: today },
      { ...draft, form: { ...asked, model: to }, pinnedId: to },
    ])
    if (started) showTab("run")
  }
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Alias"
          value={alias?.id ?? ""}
          options={aliases.map(({ id, pinnedId }) => ({ value: id, label: `${id}, today ${pinnedId}` }))}
          onChoose={(value) => setChoice({ ...choice, alias: value })}
        />
        <SelectField
          label="Model it would move to"
          value={target?.id ?? ""}
          options={targets.map(({ id }) => id)}
          onChoose={(value) => setChoice({ ...choice, target: value })}
        />
        <KeyField keys={keys} value={choice.keyId} onChoose={(keyId) => setChoice({ ...choice, keyId })} />
      </div>
      {target?.caution ? <Alert tone="warn">{target.caution}</Alert> : null}
      <RunProblems />
      <MissingLabels />
      <StartForm
        price={addPrices(first, second)}
        requests={2 * rows}
        keyId={choice.keyId}
        pinnedId={today}
        label={`Run ${countOf(rows, "row")} on both`}
        onBegin={(capUsd) => void begin(capUsd)}
      />
    </>
  )
}
