import { outcomesOf } from "@/questions/question-types"
import { correctedLabels } from "../figures/corrections"
import { judgedGroups } from "../figures/judged-rows"
import type { JudgedQuestion, RunData } from "./judged-questions"

/** How many rows of the file do not count, and why. */
export interface Exclusion {
  reason: string
  rows: number
}

const REASONS = {
  unreadable: "could not be read",
  stateless: "had no text for the model",
  group: "belong to a group that another row stands for",
  correction: "were left out by a correction",
  label: "have no right answer",
  failed: "failed",
  waiting: "were not asked",
} as const

/** Lists why rows of the file do not count for a question. Each row has one reason, and reasons without rows are missing. */
export function exclusionsOf(
  { set, rows, results, asked }: RunData,
  { question, judged }: JudgedQuestion,
): Exclusion[] {
  const counts = new Map<keyof typeof REASONS, number>([
    ["unreadable", set.unreadable.length],
    ["stateless", rows.length - asked.usable.length],
  ])
  const add = (reason: keyof typeof REASONS) => counts.set(reason, (counts.get(reason) ?? 0) + 1)
  const at = asked.questions.findIndex(({ name }) => name === question.name)
  const counted = new Set(judged.map(({ row }) => row))
  const { others } = judgedGroups(asked, results, set.corrections, question.name)
  const grouped = new Set(others.map(({ row }) => row))
  const corrected = correctedLabels(set.corrections, question.name, outcomesOf(question).names(question))
  const failed = new Set(results.flatMap(({ row, status }) => (status === "failed" ? [row] : [])))
  for (const { index, labels } of asked.usable) {
    if (counted.has(index)) continue
    if (grouped.has(index)) add("group")
    else if (corrected.get(index) === null) add("correction")
    else if ((labels[at] ?? null) === null) add("label")
    else add(failed.has(index) ? "failed" : "waiting")
  }
  return [...counts].flatMap(([reason, count]) => (count > 0 ? [{ reason: REASONS[reason], rows: count }] : []))
}
