import { editQuestions, freshKeys, type QuestionsAction } from "@/lib/shared/request-form/edit-questions"
import type { QuestionForm } from "@/questions/question-form"
import type { EvaluationSet, LabelMapping } from "./evaluation-set"

/** What the editor of a set's questions knows beside the set. */
export interface QuestionEditor {
  /** One React key per question. */
  keys: number[]
  /** For screen readers. */
  announcement: string
  /** The last step, if it can be undone. It ends with the next edit. */
  undo: UndoStep | null
}

interface UndoStep {
  label: string
  action: QuestionsAction
  /** The label columns before the step. */
  labels: LabelMapping[]
}

type Edited = Pick<EvaluationSet, "form" | "mapping">

export type EditorAction =
  /** `before` is the set before the edit. */
  { type: "edited"; before: Edited; action: QuestionsAction } | { type: "undo_dismissed" }

export const newEditor = (questions: QuestionForm[]): QuestionEditor => ({
  keys: freshKeys(questions),
  announcement: "",
  undo: null,
})

/** Follows edits of the set's questions. */
export function reduceEditor(editor: QuestionEditor, event: EditorAction): QuestionEditor {
  if (event.type === "undo_dismissed") return { ...editor, undo: null }
  const { form, mapping } = event.before
  const { keys, announcement = "", undo } = editQuestions({ ...form, keys: editor.keys }, event.action)
  return { keys, announcement, undo: undo ? { ...undo, labels: mapping.labels } : null }
}

interface Named {
  name: string
}

/**
 * Keeps the label column of a renamed question, and drops that of a question that is gone. If two questions share a name, its
 * column stays with the name, because either of them may own it.
 */
export function keepLabels(
  labels: readonly LabelMapping[],
  before: readonly Named[],
  after: readonly Named[],
): LabelMapping[] {
  const renamed = before.length === after.length ? before.findIndex(({ name }, at) => name !== after[at]?.name) : -1
  const [from, to] = [before[renamed]?.name, after[renamed]?.name]
  const isMoved = before.filter(({ name }) => name === from).length === 1 && before.every(({ name }) => name !== to)
  const kept = labels.map((label) =>
    isMoved && to !== undefined && label.question === from ? { ...label, question: to } : label,
  )
  return kept.filter(({ question }) => after.some(({ name }) => name === question))
}

/** Returns the questions after an edit, each with its label column. */
export function editSet({ form, mapping }: Edited, action: QuestionsAction): Edited {
  const { questions } = editQuestions({ questions: form.questions, keys: [] }, action)
  const labels =
    action.type === "question_moved" ? mapping.labels : keepLabels(mapping.labels, form.questions, questions)
  return { form: { ...form, questions }, mapping: { ...mapping, labels } }
}

/** Returns the questions and label columns before the last step. */
export function undoEdit(edited: Edited, { action, labels }: UndoStep): Edited {
  const { form, mapping } = editSet(edited, action)
  return { form, mapping: { ...mapping, labels } }
}
