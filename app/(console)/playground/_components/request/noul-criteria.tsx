"use client"
import { WordsInput } from "./words-input"

/** What yes and no mean, where the instructions do not say it. */
export function NoulCriteria({ index }: { index: number }) {
  return (
    <div className="grid gap-4 @md:grid-cols-2">
      <WordsInput path={`questions.${index}.yes`} label="Yes means" isLabelShown />
      <WordsInput path={`questions.${index}.no`} label="No means" isLabelShown />
    </div>
  )
}
