"use client"
import { Button } from "@/components/ui/button"
import { SelectField } from "@/components/ui/select"
import type { LabelMapping } from "@/lib/shared/evaluate/rows/evaluation-set"
import { formatCount } from "@/lib/shared/format"
import { shortText } from "@/lib/shared/long-runs"
import type { QuestionForm } from "@/questions/question-form"
import { QUESTION_TYPES } from "@/questions/question-types"
import { useOpenSet, useOpenSetStore } from "../../model/open-set"
import { showTab } from "../address"

/** Lets the user say which column holds the right answer of each question, and shows how often each answer occurs. */
export function LabelFields() {
  const { getState, changeSet } = useOpenSetStore()
  const questions = useOpenSet(({ set }) => set.form.questions)
  const labels = useOpenSet(({ set }) => set.mapping.labels)
  const change = (question: string, next: LabelMapping | null) => {
    const { mapping } = getState().set
    const others = mapping.labels.filter((label) => label.question !== question)
    changeSet({ mapping: { ...mapping, labels: next ? [...others, next] : others } })
  }
  return (
    <section aria-label="Labels" className="flex flex-col gap-4">
      <h2 className="font-medium">Where the right answers are</h2>
      {questions.length === 0 ? (
        <div className="flex flex-col items-start gap-2">
          <p className="text-ink-muted">Add a question first. Then say which column holds its right answers.</p>
          <Button variant="secondary" size="sm" onClick={() => showTab("questions")}>
            Add questions
          </Button>
        </div>
      ) : null}
      {questions.map((question) => (
        <LabelField
          key={question.name}
          question={question}
          mapped={labels.find((label) => label.question === question.name) ?? null}
          onChange={(next) => change(question.name, next)}
        />
      ))}
    </section>
  )
}

interface LabelFieldProps {
  question: QuestionForm
  mapped: LabelMapping | null
  onChange: (mapped: LabelMapping | null) => void
}

function LabelField({ question: { name, type }, mapped, onChange }: LabelFieldProps) {
  const columns = useOpenSet(({ set }) => set.columns)
  const choose = (column: string) =>
    onChange(column === "" ? null : { question: name, column, firstLevel: mapped?.firstLevel ?? 0 })
  return (
    <div className="flex flex-col gap-2 rounded-lg border border-line bg-surface p-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label={<>Right answers of {name}</>}
          value={mapped?.column ?? ""}
          none="None"
          options={columns}
          onChoose={choose}
        />
        {QUESTION_TYPES[type].scale === "ordinal" && mapped ? (
          <SelectField
            label="Numbers start at"
            value={String(mapped.firstLevel)}
            options={["0", "1"].map((value) => ({ value, label: `${value} is the lowest level` }))}
            onChoose={(value) => onChange({ ...mapped, firstLevel: value === "1" ? 1 : 0 })}
          />
        ) : null}
      </div>
      {mapped ? <LabelCounts question={name} /> : null}
    </div>
  )
}

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
            <th scope="row" className="wrap-anywhere w-1/3 py-0.5 pr-3 text-left font-normal">
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
