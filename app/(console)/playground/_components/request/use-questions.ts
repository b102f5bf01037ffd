"use client"
import { useFieldArray, useFormContext } from "react-hook-form"
import { emptyQuestion } from "@/lib/shared/playground/empty-question"
import type { PlaygroundForm, QuestionForm } from "@/lib/shared/playground/schema"
import { useRequestSide } from "./request-context"

/** A name that no question has yet: `question_1`, or `refund_2` for a copy of `refund`. */
function freeName(base: string, from: number, taken: Set<string>): string {
  for (let n = from; ; n++) if (!taken.has(`${base}_${n}`)) return `${base}_${n}`
}

/** After the list was drawn anew. */
const focusIn = (index: number, selector: string) =>
  requestAnimationFrame(() => {
    const card = document.querySelector<HTMLElement>(`[data-question="${index}"]`)
    const target = card?.querySelector<HTMLElement>(`${selector}:not(:disabled)`) ?? card
    target?.focus()
  })

/** The list of questions and what can be done with it; the focus goes with what was moved, added or put right. */
export function useQuestions() {
  const { control, getValues } = useFormContext<PlaygroundForm>()
  const { fields, append, insert, remove, move, update } = useFieldArray({ control, name: "questions" })
  const { offerUndo, announce } = useRequestSide()
  const names = () => new Set(getValues("questions").map(({ name }) => name))
  const taken = (index: number): QuestionForm => structuredClone(getValues(`questions.${index}`))
  const moveTo = (from: number, to: number) => {
    const { name } = getValues(`questions.${from}`)
    move(from, to)
    announce(`${name || "The question"} is now question ${to + 1} of ${fields.length}`)
  }
  return {
    fields,
    move: moveTo,
    step: (index: number, by: -1 | 1) => {
      moveTo(index, index + by)
      focusIn(index + by, `[aria-label^="Move"][aria-label$="${by < 0 ? "up" : "down"}"]`)
    },
    add: (type: QuestionForm["type"]) =>
      append(emptyQuestion(type, freeName("question", 1, names())), {
        shouldFocus: true,
        focusName: `questions.${fields.length}.instructions.text`,
      }),
    duplicate: (index: number) => {
      const copy = { ...taken(index), spelled: undefined }
      insert(index + 1, { ...copy, name: freeName(copy.name.replace(/_\d+$/, "") || "question", 2, names()) })
      focusIn(index + 1, "input")
    },
    remove: (index: number) => {
      const question = taken(index)
      remove(index)
      offerUndo({ done: `Removed ${question.name || "a question"}`, undo: () => insert(index, question) })
    },
    fix: (index: number, apply: (question: QuestionForm) => QuestionForm) => {
      update(index, apply(taken(index)))
      focusIn(index, "textarea")
    },
  }
}
