"use client"
import { useCallback, useDeferredValue, useMemo, useReducer } from "react"
import { QuestionList } from "@/components/question-editor/question-list"
import { UndoNotice } from "@/components/undo-notice"
import type { LabelMapping } from "@/lib/shared/evaluate/rows/evaluation-set"
import { editSet, newEditor, reduceEditor, undoEdit } from "@/lib/shared/evaluate/rows/question-editor"
import type { Suggestion } from "@/lib/shared/evaluate/rows/suggest-questions"
import { asText } from "@/lib/shared/json-source/text-or-json"
import { checkForm } from "@/lib/shared/request-form/check-form"
import type { QuestionsAction } from "@/lib/shared/request-form/edit-questions"
import type { RequestForm } from "@/lib/shared/request-form/request-form"
import { limitsOf } from "@/lib/shared/runs/model-choice"
import { useAccount, useOpenSet, useOpenSetStore } from "../../model/open-set"
import { Suggestions } from "./suggestions"

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
  const edit = (action: QuestionsAction, labels: LabelMapping) => {
    const { set } = store.getState()
    const { form, mapping } = editSet(set, action)
    const others = mapping.labels.filter(({ question }) => question !== labels.question)
    store.changeSet({ form, mapping: { ...mapping, labels: [...others, labels] } })
    follow({ type: "edited", before: set, action })
  }
  const add = ({ question, labels }: Suggestion) =>
    edit({ type: "question_inserted", index: store.getState().set.form.questions.length, question }, labels)
  const replace = ({ question, labels }: Suggestion) => {
    const index = store.getState().set.form.questions.findIndex(({ name }) => name === question.name)
    edit({ type: "question_changed", index, change: () => question }, labels)
  }
  return { editor, dispatch, undo, dismiss: () => follow({ type: "undo_dismissed" }), add, replace }
}

/** Lets the user edit the set's questions with the playground's editor. Earlier runs keep the questions that they asked. */
export function QuestionsTab() {
  const { models } = useAccount()
  const form = useOpenSet(({ set }) => set.form)
  const { editor, dispatch, undo, dismiss, add, replace } = useEditor()
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
      <Suggestions onAdd={add} onReplace={replace} />
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
