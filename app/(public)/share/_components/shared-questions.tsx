"use client"
import clsx from "clsx"
import { memo, useState } from "react"
import { useGrowingCount } from "@/components/timing/use-growing-count"
import { Button } from "@/components/ui/button"
import { ClientText } from "@/components/ui/client-text"
import type { JsonText } from "@/lib/shared/json/text"
import { type CheckedQuestion, typeOf } from "@/questions/question-types"

const QUESTIONS = { first: 10, more: 5 }
const OPTIONS = { first: 20, more: 50 }
/** Instructions and descriptions have more than their neighbours to share the page with. */
const SHOWN_LENGTH = 1_000

export function SharedQuestions({ questions }: { questions: CheckedQuestion[] }) {
  const count = useGrowingCount(questions.length, QUESTIONS)
  return (
    <ol className="flex flex-col gap-4">
      {questions.slice(0, count).map((question) => (
        <SharedQuestion key={question.name} question={question} />
      ))}
    </ol>
  )
}

const SharedQuestion = memo(function SharedQuestion({ question }: { question: CheckedQuestion }) {
  return (
    <li className="skip-offscreen flex flex-col gap-1.5 border-line border-t pt-4 [contain-intrinsic-height:auto_20rem]">
      <h3 className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 break-all font-medium font-mono text-sm">{question.name}</span>
        <span className="text-ink-muted text-sm">{question.type}</span>
      </h3>
      {question.instructions ? <InlineText value={question.instructions} /> : null}
      <Criteria question={question} />
    </li>
  )
})

function InlineText({ value }: { value: JsonText }) {
  return (
    <span
      dir={value.kind === "string" ? "auto" : "ltr"}
      className={clsx("whitespace-pre-wrap break-words", value.kind !== "string" && "font-mono text-sm")}
    >
      <ClientText text={value.text()} maxLength={SHOWN_LENGTH} />
    </span>
  )
}

function Criteria({ question }: { question: CheckedQuestion }) {
  const [isWhole, setWhole] = useState(false)
  const criteria = typeOf(question).criteria(question)
  const count = useGrowingCount(isWhole ? criteria.length : Math.min(OPTIONS.first, criteria.length), OPTIONS)
  if (criteria.length === 0) return null
  return (
    <>
      <dl className="flex flex-col gap-1 text-sm">
        {criteria.slice(0, count).map(({ term, text }) => (
          <Criterion key={term} term={term} text={text} />
        ))}
      </dl>
      {isWhole || criteria.length <= OPTIONS.first ? null : (
        <Button variant="secondary" size="sm" className="self-start" onClick={() => setWhole(true)}>
          Show all {criteria.length} options
        </Button>
      )}
    </>
  )
}

const Criterion = memo(function Criterion({ term, text }: { term: string; text: JsonText | null }) {
  return (
    <div className="grid grid-cols-[minmax(2rem,30%)_minmax(0,1fr)] gap-3">
      <dt dir="auto" className="wrap-anywhere font-medium">
        {term}
      </dt>
      <dd className="min-w-0 text-ink-muted">{text ? <InlineText value={text} /> : "–"}</dd>
    </div>
  )
})
