import type { HistoryEntry } from "../model/run-history"

/** Longer states are cut before white space is removed. */
const MAX_READ = 400
const MAX_SHOWN = 120

/** Returns the first words of a run's state as one line; empty when the run can no longer be read. */
export function firstWords({ outcome }: HistoryEntry): string {
  const text = outcome?.exchange.request.state.text() ?? ""
  return text.slice(0, MAX_READ).replaceAll(/\s+/g, " ").trim().slice(0, MAX_SHOWN)
}

export const questionNames = ({ outcome }: HistoryEntry): string[] =>
  outcome?.exchange.request.questions.map(({ name }) => name) ?? []

/** Returns the runs that contain every word of a search in their label, state, question names, model or refusal. */
export function searchRuns<Entry extends HistoryEntry>(entries: Entry[], search: string): Entry[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return entries
  return entries.filter((entry) => {
    const { run, outcome } = entry
    const answeredBy = outcome?.kind === "answered" ? outcome.model : (outcome?.refusal.code ?? "")
    const texts = [run.label ?? "", outcome?.exchange.request.state.text() ?? "", ...questionNames(entry), answeredBy]
    const haystack = texts.join("\n").toLowerCase()
    return words.every((word) => haystack.includes(word))
  })
}
