"use client"
import { useMemo } from "react"
import { Button } from "@/components/ui/button"
import { SelectField } from "@/components/ui/select"
import type { ColumnValues } from "@/lib/shared/evaluate/rows/column-values"
import type { LabelMapping } from "@/lib/shared/evaluate/rows/evaluation-set"
import { fittingColumns, labelsIn, undecidedAnswers } from "@/lib/shared/evaluate/rows/guess-labels"
import { labelledQuestionsOf } from "@/lib/shared/evaluate/rows/read-rows"
import { formatCount } from "@/lib/shared/format"
import { shortText } from "@/lib/shared/long-runs"
import { type CheckedQuestion, typeOf } from "@/questions/question-types"
import { useOpenSet, useOpenSetStore } from "../../model/open-set"
import { showTab } from "../address"
import { JoinLabels } from "./join-labels"

const SHOWN_COLUMNS = 5

/** Lets the user say which column holds the right answer of each question, and shows how often each answer occurs. */
export function LabelFields() {
  const hasQuestions = useOpenSet(({ set }) => set.form.questions.length > 0)
  return (
    <section aria-label="Labels" className="flex flex-col gap-4">
      <h2 className="font-semibold text-lg">Where the right answers are</h2>
      {hasQuestions ? (
        <>
          <LabelChoices />
          <JoinLabels />
        </>
      ) : (
        <div className="flex flex-col items-start gap-2">
          <p className="text-ink-muted">Add a question first. Then say which column holds its right answers.</p>
          <Button variant="secondary" size="sm" onClick={() => showTab("questions")}>
            Add questions
          </Button>
        </div>
      )}
    </section>
  )
}

/** Renders the choice of each question's column. `names` limits it to these questions. */
export function LabelChoices({ names }: { names?: readonly string[] }) {
  const { getState, changeSet } = useOpenSetStore()
  const form = useOpenSet(({ set }) => set.form)
  const labels = useOpenSet(({ set }) => set.mapping.labels)
  const readable = useMemo(() => labelledQuestionsOf(form), [form])
  const change = (question: string, next: LabelMapping | null) => {
    const { mapping } = getState().set
    const others = mapping.labels.filter((label) => label.question !== question)
    changeSet({ mapping: { ...mapping, labels: next ? [...others, next] : others } })
  }
  const shown = form.questions.filter(({ name }) => !names || names.includes(name))
  return shown.map(({ name }) => (
    <LabelField
      key={name}
      name={name}
      question={readable.find((each) => each.name === name) ?? null}
      mapped={labels.find((label) => label.question === name) ?? null}
      onChange={(next) => change(name, next)}
    />
  ))
}

interface LabelFieldProps {
  name: string
  /** Null while the question's answers are incomplete. */
  question: CheckedQuestion | null
  mapped: LabelMapping | null
  onChange: (mapped: LabelMapping | null) => void
}

/** Says which columns hold answers of a question, beside the one that is chosen. */
function fitText(fitting: readonly string[], chosen: string): string | undefined {
  const others = fitting.filter((column) => column !== chosen)
  if (others.length === 0) return undefined
  return `${chosen === "" ? "These columns fit" : "Also fits"}: ${others.slice(0, SHOWN_COLUMNS).map(shortText).join(", ")}.`
}

function LabelField({ name, question, mapped, onChange }: LabelFieldProps) {
  const { valuesOf } = useOpenSetStore()
  const columns = useOpenSet(({ set }) => set.columns)
  const fitting = useMemo(
    () => (question ? fittingColumns(question, columns, valuesOf) : []),
    [question, columns, valuesOf],
  )
  const choose = (column: string) => {
    if (column === "") onChange(null)
    else onChange(question ? labelsIn(question, column, valuesOf(column)) : { question: name, column, firstLevel: 0 })
  }
  return (
    <div className="flex flex-col gap-2 rounded-lg border border-line bg-surface p-4">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <SelectField
          label={<>Right answers of {name}</>}
          hint={fitText(fitting, mapped?.column ?? "")}
          value={mapped?.column ?? ""}
          none="None"
          options={columns}
          onChoose={choose}
        />
        {question && mapped ? <ReadingField question={question} mapped={mapped} onChange={onChange} /> : null}
      </div>
      {mapped ? <LabelCounts question={name} /> : null}
    </div>
  )
}

interface ReadingFieldProps {
  question: CheckedQuestion
  mapped: LabelMapping
  onChange: (mapped: LabelMapping) => void
}

/** Asks what a column leaves open: where the numbers of levels start, or which of two values means yes. */
function ReadingField({ question, mapped, onChange }: ReadingFieldProps) {
  const { valuesOf } = useOpenSetStore()
  const values = valuesOf(mapped.column)
  if (typeOf(question).scale === "ordinal")
    return (
      <SelectField
        label="Numbers start at"
        hint={isFromOne(values) ? "No label is 0." : undefined}
        value={String(mapped.firstLevel)}
        options={["0", "1"].map((value) => ({ value, label: `${value} is the lowest level` }))}
        onChoose={(value) => onChange({ ...mapped, firstLevel: value === "1" ? 1 : 0 })}
      />
    )
  const pair = undecidedAnswers(question, values)
  if (!pair) return null
  const [first, second] = pair
  const choose = (yes: string) => {
    const { answers: _, ...rest } = mapped
    onChange(yes === "" ? rest : { ...rest, answers: { yes, no: yes === first ? second : first } })
  }
  return (
    <SelectField
      label="Which value means yes?"
      hint={mapped.answers ? undefined : "Until you choose, no row has a label of this question."}
      value={mapped.answers?.yes ?? ""}
      none="Choose"
      options={[first, second]}
      onChoose={choose}
    />
  )
}

/** Returns whether the labels are numbers, none of which is 0. */
const isFromOne = (values: ColumnValues): boolean =>
  values !== null && values.length > 0 && values.every(({ text }) => Number(text) >= 1)

function LabelCounts({ question }: { question: string }) {
  const counted = useOpenSet(({ summary }) => summary?.labels.find((label) => label.question === question))
  if (!counted) return null
  const most = Math.max(1, ...counted.counts.map(({ count }) => count))
  return (
    <table className="w-full text-sm tabular-nums">
      <caption className="sr-only">How often each answer of {question} is the right one</caption>
      <tbody>
        {counted.counts.map(({ name, count }) => (
          <tr key={name}>
            <th scope="row" dir="auto" className="wrap-anywhere w-1/3 py-0.5 pr-3 text-left font-normal">
              {shortText(name)}
            </th>
            <td className="py-0.5">
              <svg aria-hidden width="100%" height="8" className="block">
                <rect width={`${(count / most) * 100}%`} height="8" rx="2" className="fill-accent" />
              </svg>
            </td>
            <td className="w-20 py-0.5 pl-3 text-right">{formatCount(count)}</td>
          </tr>
        ))}
      </tbody>
      {counted.without > 0 ? (
        <tfoot>
          <tr className="text-ink-muted">
            <th scope="row" colSpan={2} className="py-0.5 text-left font-normal">
              Without a label
            </th>
            <td className="py-0.5 text-right">{formatCount(counted.without)}</td>
          </tr>
        </tfoot>
      ) : null}
    </table>
  )
}
