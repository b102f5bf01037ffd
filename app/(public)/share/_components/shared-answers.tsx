import { Alert } from "@/components/ui/alert"
import type { SharedAnswers as Answers } from "@/lib/shared/playground/share/read-shared-answers"
import { AnswerList } from "@/questions/answer-list"

interface SharedAnswersProps {
  /** Null when there are none to show. */
  answers: Answers | null
  /** The link holds a response, readable or not. */
  isIncluded: boolean
}

/** The answers as the link states them. */
export function SharedAnswers({ answers, isIncluded }: SharedAnswersProps) {
  return (
    <section aria-labelledby="shared-answers" className="flex min-w-0 flex-col gap-4">
      <h2 id="shared-answers" className="font-semibold text-md">
        Answers
      </h2>
      {answers ? (
        <>
          <p className="max-w-text text-ink-muted">
            As the link says; this server has not checked them. Answered by{" "}
            <span className="wrap-anywhere font-mono text-ink text-sm">{answers.model}</span>, {answers.tokens} billable
            tokens.
          </p>
          <AnswerList answers={answers.answers} />
        </>
      ) : isIncluded ? (
        <Alert tone="warn" title="The answers cannot be read">
          The link holds some, but not for this request. Open it in the playground and run it yourself.
        </Alert>
      ) : (
        <p className="text-ink-muted">
          The link holds the request alone. Open it in the playground and run it to get answers.
        </p>
      )}
    </section>
  )
}
