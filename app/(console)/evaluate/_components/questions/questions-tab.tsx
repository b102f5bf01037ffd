"use client"
import { useMemo, useReducer } from "react"
import { QuestionList } from "@/components/question-editor/question-list"
import { Button } from "@/components/ui/button"
import { checkForm } from "@/lib/shared/request-form/check-form"
import { editQuestions, freshKeys, type QuestionsAction } from "@/lib/shared/request-form/edit-questions"
import type { QuestionForm, RequestForm } from "@/lib/shared/request-form/request-form"
import { asText } from "@/lib/shared/request-form/text-or-json"
import { limitsOf } from "@/lib/shared/runs/model-choice"
import { guessLabels, suggestQuestion } from "../../model/new-set"
import { useAccount, useOpenSet, useOpenSetStore } from "../../model/open-set"

interface Editor {
  keys: number[]
  announcement: string
}

function errorsOf(form: RequestForm): Record<string, string> {
  const checked = checkForm({ ...form, model: "m", state: asText("s") })
  return checked.ok ? {} : Object.fromEntries(checked.errors.map(({ field, message }) => [field, message]))
}

/** Lets the user edit the set's questions with the playground's editor. Earlier runs keep the questions that they asked. */
export function QuestionsTab() {
  const { models } = useAccount()
  const { getState, changeSet } = useOpenSetStore()
  const form = useOpenSet(({ set }) => set.form)
  const [editor, setEditor] = useReducer((before: Editor, after: Partial<Editor>) => ({ ...before, ...after }), {
    keys: freshKeys(form.questions),
    announcement: "",
  })
  const errors = useMemo(() => errorsOf(form), [form])

  const keepLabels = (before: QuestionForm[], after: QuestionForm[]) => {
    const { mapping } = getState().set
    const renamed = before.length === after.length ? before.findIndex(({ name }, at) => name !== after[at]?.name) : -1
    const [from, to] = [before[renamed]?.name, after[renamed]?.name]
    const labels = mapping.labels.map((label) =>
      label.question === from && to !== undefined ? { ...label, question: to } : label,
    )
    return { ...mapping, labels: labels.filter(({ question }) => after.some(({ name }) => name === question)) }
  }

  const dispatch = (action: QuestionsAction) => {
    const { set } = getState()
    const { questions } = set.form
    const edited = editQuestions({ questions, keys: editor.keys }, action)
    const isMoved = action.type === "question_moved"
    const mapping = isMoved ? set.mapping : keepLabels(questions, edited.questions)
    changeSet({ form: { ...set.form, questions: edited.questions }, mapping })
    setEditor({ keys: edited.keys, announcement: edited.announcement ?? "" })
  }

  const add = (question: QuestionForm) => {
    const { set, rows } = getState()
    const next = { ...set.form, questions: [...set.form.questions, question] }
    const stateColumn = set.mapping.state.kind === "column" ? set.mapping.state.column : ""
    const guessed = guessLabels(set, rows, next, stateColumn).filter((label) => label.question === question.name)
    changeSet({ form: next, mapping: { ...set.mapping, labels: [...set.mapping.labels, ...guessed] } })
    setEditor({ keys: [...editor.keys, Math.max(-1, ...editor.keys) + 1] })
  }

  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <p role="status" className="sr-only">
        {editor.announcement}
      </p>
      <Suggestions onAdd={add} />
      <QuestionList
        questions={form.questions}
        keys={editor.keys}
        settledQuestions={form.questions}
        errors={errors}
        limits={limitsOf(models, form.model)}
        dispatch={dispatch}
      />
    </div>
  )
}

function Suggestions({ onAdd }: { onAdd: (question: QuestionForm) => void }) {
  const set = useOpenSet((state) => state.set)
  const rows = useOpenSet((state) => state.rows)
  const used = [
    ...set.mapping.labels.map(({ column }) => column),
    ...set.form.questions.map(({ name }) => name),
    ...(set.mapping.state.kind === "column" ? [set.mapping.state.column] : []),
  ]
  const { columns, source } = set
  const suggestions = useMemo(
    () => columns.flatMap((column) => suggestQuestion({ columns, source }, rows, column) ?? []),
    [columns, source, rows],
  )
  const open = suggestions.filter(({ name }) => !used.includes(name))
  if (open.length === 0) return null
  return (
    <section aria-label="Suggestions" className="flex flex-wrap items-center gap-2">
      <span className="text-ink-muted text-sm">Columns that look like answers</span>
      {open.map((question) => (
        <Button key={question.name} variant="secondary" size="sm" onClick={() => onAdd(question)}>
          Ask for “{question.name}”
        </Button>
      ))}
    </section>
  )
}
