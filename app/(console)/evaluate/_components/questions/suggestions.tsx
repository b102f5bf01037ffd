"use client"
import { useMemo, useState } from "react"
import { Button } from "@/components/ui/button"
import { type SuggestedQuestion, type Suggestion, suggestQuestions } from "@/lib/shared/evaluate/rows/suggest-questions"
import { useOpenSet, useOpenSetStore } from "../../model/open-set"

interface SuggestionsProps {
  onAdd: (suggestion: Suggestion) => void
  /** Replaces the question of the same name. */
  onReplace: (suggestion: Suggestion) => void
}

function useSuggestions(): SuggestedQuestion[] {
  const { valuesOf } = useOpenSetStore()
  const columns = useOpenSet(({ set }) => set.columns)
  const { state, labels } = useOpenSet(({ set }) => set.mapping)
  const names = useOpenSet(({ set }) => set.form.questions.map(({ name }) => name).join("\n"))
  return useMemo(() => {
    const taken = names.split("\n")
    const used = [...labels.map(({ column }) => column), ...taken, ...(state.kind === "column" ? [state.column] : [])]
    const open = columns.filter((column) => !used.includes(column))
    return suggestQuestions(open, valuesOf, taken)
  }, [columns, state, labels, names, valuesOf])
}

/** Offers a question for each column that looks like answers. An added question keeps the column as its right answers. */
export function Suggestions({ onAdd, onReplace }: SuggestionsProps) {
  const suggestions = useSuggestions()
  const questions = useOpenSet(({ set }) => set.form.questions)
  const [added, setAdded] = useState<SuggestedQuestion | null>(null)
  const isThere = questions.some(({ name, type }) => name === added?.question.name && type === added.question.type)
  if (suggestions.length === 0 && !isThere) return null
  const add = (suggestion: SuggestedQuestion) => {
    setAdded(suggestion)
    onAdd(suggestion)
  }
  const replace = (added: SuggestedQuestion, other: Suggestion) => {
    const { column, question, labels, kind } = added
    setAdded({
      ...other,
      column,
      others: [{ question, labels, kind }, ...added.others.filter((each) => each !== other)],
    })
    onReplace(other)
  }
  return (
    <section aria-label="Suggestions" className="flex flex-col gap-3">
      {suggestions.length > 0 ? (
        <div className="flex flex-wrap items-center gap-2">
          <span className="text-ink-muted text-sm">These columns look like answers</span>
          {suggestions.map((suggestion) => (
            <Button key={suggestion.column} variant="secondary" size="sm" onClick={() => add(suggestion)}>
              Add a question for “{suggestion.column}”
            </Button>
          ))}
        </div>
      ) : null}
      {added && isThere ? <Added added={added} onReplace={(other) => replace(added, other)} /> : null}
    </section>
  )
}

/** Says what was guessed about a column, and what else it could be. */
function Added({ added, onReplace }: { added: SuggestedQuestion; onReplace: (other: Suggestion) => void }) {
  return (
    <div role="status" className="flex flex-wrap items-center gap-2 text-sm">
      <span className="wrap-anywhere">
        “{added.question.name}” was added as {added.kind}. Its right answers are in the column “{added.column}”.
        {added.others.length > 0 ? " The column also fits:" : ""}
      </span>
      {added.others.map((other) => (
        <Button key={other.kind} variant="secondary" size="sm" onClick={() => onReplace(other)}>
          {other.kind}
        </Button>
      ))}
    </div>
  )
}
