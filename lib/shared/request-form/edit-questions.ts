import { moveItem } from "@/lib/shared/move-item"
import { emptyQuestion, type QuestionChange, type QuestionForm } from "@/questions/question-form"

export type QuestionsAction =
  | { type: "question_added"; questionType: QuestionForm["type"] }
  | { type: "question_inserted"; index: number; question: QuestionForm }
  | { type: "question_duplicated"; index: number }
  | { type: "question_removed"; index: number }
  | { type: "question_moved"; from: number; to: number }
  | {
      type: "question_changed"
      index: number
      change: QuestionChange
      undo?: { label: string; change: QuestionChange }
      announcement?: string
    }

export interface QuestionList {
  questions: QuestionForm[]
  keys: number[]
}

export interface EditedQuestions extends QuestionList {
  undo?: { label: string; action: QuestionsAction }
  announcement?: string
}

/** Returns one React key per question, none of which is in `previous`. */
export function freshKeys(questions: QuestionForm[], previous: number[] = []): number[] {
  const next = Math.max(-1, ...previous) + 1
  return questions.map((_, index) => next + index)
}

/** Returns a name that no question has yet: `question_1`, or `refund_2` for a copy of `refund`. */
function freeName(questions: QuestionForm[], base: string, from: number): string {
  const taken = new Set(questions.map(({ name }) => name))
  for (let n = from; ; n++) if (!taken.has(`${base}_${n}`)) return `${base}_${n}`
}

function insert({ questions, keys }: QuestionList, index: number, question: QuestionForm): QuestionList {
  const key = Math.max(-1, ...keys) + 1
  return { questions: questions.toSpliced(index, 0, question), keys: keys.toSpliced(index, 0, key) }
}

function duplicate(list: QuestionList, index: number): EditedQuestions {
  const question = list.questions[index]
  if (!question) return list
  const name = freeName(list.questions, question.name.replace(/_\d+$/, "") || "question", 2)
  return insert(list, index + 1, { ...question, name, spelled: undefined })
}

function remove({ questions, keys }: QuestionList, index: number): EditedQuestions {
  const question = questions[index]
  if (!question) return { questions, keys }
  return {
    questions: questions.toSpliced(index, 1),
    keys: keys.toSpliced(index, 1),
    undo: {
      label: `Removed ${question.name || "a question"}`,
      action: { type: "question_inserted", index, question },
    },
  }
}

export function editQuestions(list: QuestionList, action: QuestionsAction): EditedQuestions {
  const { questions, keys } = list
  switch (action.type) {
    case "question_added": {
      const question = emptyQuestion(action.questionType, freeName(questions, "question", 1))
      return insert(list, questions.length, question)
    }
    case "question_inserted":
      return insert(list, action.index, action.question)
    case "question_duplicated":
      return duplicate(list, action.index)
    case "question_removed":
      return remove(list, action.index)
    case "question_moved": {
      const { from, to } = action
      const name = questions[from]?.name || "The question"
      return {
        questions: moveItem(questions, from, to),
        keys: moveItem(keys, from, to),
        announcement: `${name} is now question ${to + 1} of ${questions.length}`,
      }
    }
    case "question_changed": {
      const { index, change, undo, announcement } = action
      const question = questions[index]
      if (!question) return list
      return {
        questions: questions.with(index, change(question)),
        keys,
        undo: undo && {
          label: undo.label,
          action: { type: "question_changed", index, change: undo.change },
        },
        announcement,
      }
    }
  }
}
