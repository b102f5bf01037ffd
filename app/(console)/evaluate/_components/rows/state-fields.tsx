"use client"
import { Checkbox } from "@/components/ui/checkbox"
import { Field } from "@/components/ui/field"
import { Segments } from "@/components/ui/segments"
import { SelectField } from "@/components/ui/select"
import { Textarea } from "@/components/ui/textarea"
import type { StateMapping } from "@/lib/shared/evaluate/rows/evaluation-set"
import { unknownPlaceholders } from "@/lib/shared/evaluate/rows/read-rows"
import { useOpenSet, useOpenSetStore } from "../../model/open-set"

const KINDS = [
  { value: "column", label: "One column" },
  { value: "template", label: "Template" },
  { value: "row", label: "Whole row as JSON" },
] as const

/** Lets the user choose what the model reads of each row. */
export function StateFields() {
  const { getState, changeSet } = useOpenSetStore()
  const state = useOpenSet(({ set }) => set.mapping.state)
  const columns = useOpenSet(({ set }) => set.columns)
  const change = (next: StateMapping) => changeSet({ mapping: { ...getState().set.mapping, state: next } })
  const choose = (kind: StateMapping["kind"]) => {
    const column = state.kind === "column" ? state.column : (columns[0] ?? "")
    if (kind === "column") change({ kind, column })
    else if (kind === "template") change({ kind, template: `{{${column}}}` })
    else change({ kind, without: [] })
  }
  return (
    <section aria-label="State" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="font-semibold text-lg">What the model reads</h2>
        <Segments legend="State from" options={KINDS} value={state.kind} onValue={choose} />
      </div>
      {state.kind === "column" ? (
        <SelectField
          label="State column"
          hint="An object or array is sent as JSON, everything else as text."
          value={state.column}
          options={columns}
          onChoose={(column) => change({ kind: "column", column })}
        />
      ) : null}
      {state.kind === "template" ? (
        <TemplateField template={state.template} columns={columns} onChange={change} />
      ) : null}
      {state.kind === "row" ? <RowColumns without={state.without} columns={columns} onChange={change} /> : null}
    </section>
  )
}

interface TemplateFieldProps {
  template: string
  columns: string[]
  onChange: (state: StateMapping) => void
}

function TemplateField({ template, columns, onChange }: TemplateFieldProps) {
  const unknown = unknownPlaceholders(template, columns)
  const error =
    unknown.length > 0 ? `There is no column named ${unknown.map((name) => `“${name}”`).join(", ")}.` : undefined
  return (
    <Field
      label="Template"
      hint={`{{column}} stands for the row's value. Columns: ${columns.join(", ")}.`}
      error={error}
    >
      <Textarea
        mono
        rows={5}
        value={template}
        onChange={({ target }) => onChange({ kind: "template", template: target.value })}
      />
    </Field>
  )
}

interface RowColumnsProps {
  without: string[]
  columns: string[]
  onChange: (state: StateMapping) => void
}

function RowColumns({ without, columns, onChange }: RowColumnsProps) {
  const { getState } = useOpenSetStore()
  const { mapping, joined = [] } = getState().set
  const hidden = [...joined, ...mapping.labels.map(({ column }) => column)]
  const toggle = (column: string, isIn: boolean) =>
    onChange({ kind: "row", without: isIn ? without.filter((name) => name !== column) : [...without, column] })
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-ink-muted text-sm">
        Each row is sent as an object of these columns. Label columns are left out: the model must not see the answer.
      </legend>
      {columns.map((column) =>
        hidden.includes(column) ? null : (
          <Checkbox
            key={column}
            label={column}
            checked={!without.includes(column)}
            onChange={({ target }) => toggle(column, target.checked)}
          />
        ),
      )}
    </fieldset>
  )
}
