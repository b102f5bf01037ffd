import clsx from "clsx"
import { ClientText } from "@/components/ui/client-text"
import type { JsonText } from "@/lib/shared/json/text"
import { type CheckedQuestion, typeOf } from "@/questions/question-types"

export function SharedQuestions({ questions }: { questions: CheckedQuestion[] }) {
  return (
    <ol className="flex flex-col gap-4">
      {questions.map((question) => (
        <li key={question.name} className="flex flex-col gap-1.5 border-line border-t pt-4">
          <h3 className="flex items-baseline justify-between gap-3">
            <span className="min-w-0 break-all font-medium font-mono text-sm">{question.name}</span>
            <span className="text-ink-muted text-sm">{question.type}</span>
          </h3>
          {question.instructions ? <InlineText value={question.instructions} /> : null}
          <Criteria question={question} />
        </li>
      ))}
    </ol>
  )
}

function InlineText({ value }: { value: JsonText }) {
  return (
    <span className={clsx("whitespace-pre-wrap break-words", value.kind !== "string" && "font-mono text-sm")}>
      <ClientText text={value.text()} />
    </span>
  )
}

function Criteria({ question }: { question: CheckedQuestion }) {
  const criteria = typeOf(question).criteria(question)
  if (criteria.length === 0) return null
  return (
    <dl className="flex flex-col gap-1 text-sm">
      {criteria.map(({ term, text }) => (
        <div key={term} className="grid grid-cols-[minmax(2rem,30%)_minmax(0,1fr)] gap-3">
          <dt className="break-words font-medium">{term}</dt>
          <dd className="min-w-0 text-ink-muted">{text ? <InlineText value={text} /> : "–"}</dd>
        </div>
      ))}
    </dl>
  )
}
