"use client"
import { useCallback, useDeferredValue, useMemo, useReducer } from "react"
import { QuestionList } from "@/components/question-editor/question-list"
import { Button } from "@/components/ui/button"
import { UndoNotice } from "@/components/undo-notice"
import { guessLabels, suggestQuestion } from "@/lib/shared/evaluate/rows/new-set"
import { editSet, newEditor, reduceEditor, undoEdit } from "@/lib/shared/evaluate/rows/question-editor"
import { asText } from "@/lib/shared/json-source/text-or-json"
import { checkForm } from "@/lib/shared/request-form/check-form"
import type { QuestionsAction } from "@/lib/shared/request-form/edit-questions"
import type { RequestForm } from "@/lib/shared/request-form/request-form"
import { limitsOf } from "@/lib/shared/runs/model-choice"
import type { QuestionForm } from "@/questions/question-form"
import { useAccount, useOpenSet, useOpenSetStore } from "../../model/open-set"

function errorsOf(form: RequestForm): Record<string, string> {
  const checked = checkForm({ ...form, model: "m", state: asText("s") })
  return checked.ok ? {} : Object.fromEntries(checked.errors.map(({ field, message }) => [field, message]))
}

function useEditor() {
  const store = useOpenSetStore()
  const [editor, follow] = useReducer(reduceEditor, store.getState().set.form.questions, newEditor)
  // Stable, so that typing in one question renders only that question.
  const dispatch = useCallback(
    (action: QuestionsAction) => {
      const { set } = store.getState()
      store.changeSet(editSet(set, action))
      follow({ type: "edited", before: set, action })
    },
    [store],
  )
  const undo = () => {
    if (!editor.undo) return
    const { set } = store.getState()
    store.changeSet(undoEdit(set, editor.undo))
    follow({ type: "edited", before: set, action: editor.undo.action })
  }
  const add = (question: QuestionForm) => {
    const { set, rows } = store.getState()
    const action: QuestionsAction = { type: "question_inserted", index: set.form.questions.length, question }
    const { form, mapping } = editSet(set, action)
    const stateColumn = mapping.state.kind === "column" ? mapping.state.column : ""
    const guessed = guessLabels(set, rows, form, stateColumn).filter((label) => label.question === question.name)
    store.changeSet({ form, mapping: { ...mapping, labels: [...mapping.labels, ...guessed] } })
    follow({ type: "edited", before: set, action })
  }
  return { editor, dispatch, undo, dismiss: () => follow({ type: "undo_dismissed" }), add }
}

/** Lets the user edit the set's questions with the playground's editor. Earlier runs keep the questions that they asked. */
export function QuestionsTab() {
  const { models } = useAccount()
  const form = useOpenSet(({ set }) => set.form)
  const { editor, dispatch, undo, dismiss, add } = useEditor()
  // Typing is painted before the request is checked.
  const settled = useDeferredValue(form)
  const errorsText = useMemo(() => JSON.stringify(errorsOf(settled)), [settled])
  // The same object for the same errors, so that typing in one question renders only that question.
  const errors = useMemo<ReturnType<typeof errorsOf>>(() => JSON.parse(errorsText), [errorsText])
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <p role="status" className="sr-only">
        {editor.announcement}
      </p>
      <UndoNotice step={editor.undo} onUndo={undo} onDismiss={dismiss} className="top-2 max-lg:top-15" />
      <Suggestions onAdd={add} />
      <QuestionList
        questions={form.questions}
        keys={editor.keys}
        settledQuestions={settled.questions}
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
