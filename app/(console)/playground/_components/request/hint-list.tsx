"use client"
import { Lightbulb } from "lucide-react"
import { Button } from "@/components/ui/button"
import type { QuestionForm } from "@/lib/shared/playground/schema"
import { useHints } from "./hints-context"

interface HintListProps {
  index: number
  onFix: (apply: (question: QuestionForm) => QuestionForm) => void
}

/** Advice on one question. Nothing is refused for it. */
export function HintList({ index, onFix }: HintListProps) {
  const hints = useHints(index)
  if (hints.length === 0) return null
  return (
    <ul aria-label="Hints" className="flex flex-col gap-2 border-line border-t pt-3">
      {hints.map(({ rule, message, fix }) => (
        <li key={rule} className="flex flex-wrap items-start gap-x-3 gap-y-1 text-ink-muted text-sm">
          <Lightbulb aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
          <span className="min-w-0 flex-1 basis-56">{message}</span>
          {fix ? (
            <Button variant="secondary" size="sm" onClick={() => onFix(fix.apply)}>
              {fix.label}
            </Button>
          ) : null}
        </li>
      ))}
    </ul>
  )
}
