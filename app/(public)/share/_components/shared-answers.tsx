import { Alert } from "@/components/ui/alert"
import type { SharedAnswers as Answers } from "@/lib/shared/share-link/read-shared-answers"
import { AnswerList } from "@/questions/answer-list"

interface SharedAnswersProps {
  answers: Answers | null
  /** Whether the link contains a response, readable or not. */
  isIncluded: boolean
}

export function SharedAnswers({ answers, isIncluded }: SharedAnswersProps) {
  return (
    <section aria-labelledby="shared-answers" className="flex min-w-0 flex-col gap-4">
      <h2 id="shared-answers" className="font-semibold text-md">
        Answers
      </h2>
      {answers ? (
        <>
          <p className="max-w-text text-ink-muted">
            Taken from the link. This server has not verified them. Answered by{" "}
            <span className="wrap-anywhere font-mono text-ink text-sm">{answers.model}</span>, {answers.tokens} billable
            tokens.
          </p>
          <AnswerList answers={answers.answers} />
        </>
      ) : isIncluded ? (
        <Alert tone="warn" title="The answers do not match the request">
          Open the request in the playground and run it yourself.
        </Alert>
      ) : (
        <p className="text-ink-muted">
          The link contains only the request. Open it in the playground and run it to get answers.
        </p>
      )}
    </section>
  )
}
