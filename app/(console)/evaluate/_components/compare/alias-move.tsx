"use client"
import { useState } from "react"
import { KeyField } from "@/components/run-choices"
import { Alert } from "@/components/ui/alert"
import { Field } from "@/components/ui/field"
import { Select } from "@/components/ui/select"
import { addPrices } from "@/lib/shared/evaluate/run/price-run"
import { countOf } from "@/lib/shared/format"
import type { ModelChoice } from "@/lib/shared/runs/model-choice"
import { useAccount, useOpenSet, useOpenSetStore } from "../../model/open-set"
import { usePrice } from "../../run/use-price"
import type { RunControl } from "../../run/use-runner"
import { showTab } from "../address"
import { StartForm, useSetRequests } from "../run/new-run"
import { RunProblems } from "../run/run-problems"

/** Offers to run the set on the model that an alias names today and on the one it would name. */
export function AliasMove({ control }: { control: RunControl }) {
  const { models } = useAccount()
  const aliases = models.filter(({ id, pinnedId }) => id !== pinnedId)
  const pinned = models.filter(({ id, pinnedId }) => id === pinnedId)
  return (
    <section
      aria-labelledby="alias-move"
      className="flex max-w-3xl flex-col gap-5 border-line border-t pt-6 print:hidden"
    >
      <div className="flex flex-col gap-1">
        <h2 id="alias-move" className="font-semibold text-md">
          Before an alias moves
        </h2>
        <p className="max-w-text text-ink-muted">
          Run the set on the model that the alias names today and on the one it would name. Both are ordinary runs at
          the usual price. Then compare them here.
        </p>
      </div>
      {aliases.length > 0 && pinned.length > 1 ? (
        <MoveForm aliases={aliases} pinned={pinned} control={control} />
      ) : (
        <Alert>
          {aliases.length === 0
            ? "This service has no alias: every model id names one fixed model."
            : "This service has one model, so no alias can move yet."}
        </Alert>
      )}
    </section>
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
  const rows = summary?.usable.length ?? 0
  const begin = async (capUsd: string | null) => {
    const { set } = getState()
    const { mapping } = set
    const draft = { mapping, capUsd, rows: summary?.usable ?? [] }
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
        <Field label="Alias" className="min-w-0">
          <Select value={alias?.id} onChange={({ target: { value } }) => setChoice({ ...choice, alias: value })}>
            {aliases.map(({ id, pinnedId }) => (
              <option key={id} value={id}>
                {id}, today {pinnedId}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Model it would move to" className="min-w-0">
          <Select value={target?.id} onChange={({ target: { value } }) => setChoice({ ...choice, target: value })}>
            {targets.map(({ id }) => (
              <option key={id}>{id}</option>
            ))}
          </Select>
        </Field>
        <KeyField
          keys={keys}
          value={choice.keyId}
          className="min-w-0"
          onChange={(keyId) => setChoice({ ...choice, keyId })}
        />
      </div>
      {target?.caution ? <Alert tone="warn">{target.caution}</Alert> : null}
      <RunProblems />
      <StartForm
        price={addPrices(first, second)}
        requests={2 * rows}
        keyId={choice.keyId}
        label={`Run ${countOf(rows, "row")} on both`}
        onBegin={(capUsd) => void begin(capUsd)}
      />
    </>
  )
}
