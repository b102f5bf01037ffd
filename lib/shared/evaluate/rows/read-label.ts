import { foldedName } from "@/questions/outcomes"
import { type CheckedQuestion, outcomesOf } from "@/questions/question-types"
import type { LabelMapping } from "./evaluation-set"

/** These stand for no value, unless an outcome of the question has this name. */
const MISSING = ["", "n/a", "#n/a", "nan", "null"]

/** Returns whether a folded name stands for no value. */
export const isMissingName = (folded: string): boolean => MISSING.includes(folded)
export const isMissing = (text: string): boolean => isMissingName(foldedName(text))

type Reading = Pick<LabelMapping, "firstLevel" | "answers">

/** Returns the index of the outcome that a text of a label column names; null when it names none. */
export function outcomeNamed(question: CheckedQuestion, text: string, { firstLevel, answers }: Reading): number | null {
  if (!answers || question.type !== "noul") return outcomesOf(question).indexOf(question, text, firstLevel)
  if (foldedName(text) === foldedName(answers.yes)) return 1
  return foldedName(text) === foldedName(answers.no) ? 0 : null
}

/** A null label: the row has none. */
export type ReadLabel = { ok: true; label: number | null } | { ok: false; reason: string }

/** Reads a row's text in the column of a question's labels. */
export function readLabel(question: CheckedQuestion, mapped: LabelMapping, text: string): ReadLabel {
  if (text.trim() === "") return { ok: true, label: null }
  const label = outcomeNamed(question, text, mapped)
  if (label !== null || isMissing(text)) return { ok: true, label }
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text
  return { ok: false, reason: `“${shown}” in the column “${mapped.column}” is not an answer of “${question.name}”.` }
}
