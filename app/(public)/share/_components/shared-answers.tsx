import type { ReactNode } from "react"
import { Alert } from "@/components/ui/alert"
import { Section } from "@/components/ui/section"
import {
  acceptanceOf,
  actionOf,
  comparedBy,
  describeBand,
  isBand,
  isMinimum,
  type Threshold,
  type Thresholds,
  thresholdText,
} from "@/lib/shared/runs/thresholds"
import type { SharedAnswers as Answers } from "@/lib/shared/share-link/read-shared-answers"
import { AnswerList } from "@/questions/answer-list"
import { type CheckedQuestion, measured, type PreparedAnswer } from "@/questions/question-types"
import { AnswerChart } from "@/questions/question-views"

interface SharedAnswersProps {
  questions: readonly CheckedQuestion[]
  answers: Answers | null
  thresholds: Thresholds
  /** Whether the link contains a response, readable or not. */
  hasResponse: boolean
}

export function SharedAnswers({ questions, answers, thresholds, hasResponse }: SharedAnswersProps) {
  return (
    <Section id="shared-answers" title="Answers">
      {answers ? (
        <>
          <p className="max-w-text text-ink-muted">
            These answers come from the link. This server has not verified them. Model:{" "}
            <span className="wrap-anywhere font-mono text-ink text-sm">{answers.model}</span>. Billable tokens:{" "}
            {answers.tokens}.
          </p>
          <AnswerList
            questions={questions}
            answers={answers.answers}
            drawChart={(answer, notes) => drawWithThreshold(answer, thresholds.get(answer.name), notes)}
          />
        </>
      ) : hasResponse ? (
        <Alert tone="warn" title="The answers in this link cannot be shown">
          Open the request in the playground and run it yourself.
        </Alert>
      ) : (
        <p className="text-ink-muted">
          The link contains only the request. Open it in the playground and run it to get answers.
        </p>
      )}
    </Section>
  )
}

/** Draws a chart with the link's threshold for this question. Returns null without an answer or a threshold of its type. */
function drawWithThreshold(answer: PreparedAnswer, threshold: Threshold | undefined, notes: ReactNode): ReactNode {
  const decisive = measured(answer)
  if (!decisive) return null
  if (decisive.kind === "band" && isBand(threshold)) {
    const text = describeBand(threshold)
    return (
      <AnswerChart answer={answer} band={threshold} notes={notes}>
        <Action action={actionOf(decisive.share.value, threshold)}>
          {text.charAt(0).toUpperCase() + text.slice(1)}
        </Action>
      </AnswerChart>
    )
  }
  const compared = isMinimum(threshold) ? comparedBy(answer, threshold) : null
  if (!compared) return null
  const { label, share, from } = compared
  return (
    <AnswerChart answer={answer} notes={notes}>
      <Action action={acceptanceOf(share.value, from)}>
        {label} {share.value.toFixed(3)}, {from === null ? "never accepted" : `review below ${thresholdText(from)}`}
      </Action>
    </AnswerChart>
  )
}

const ACTIONS = { yes: "Yes", no: "No", accept: "Accept", review: "Review" } as const

function Action({ action, children }: { action: keyof typeof ACTIONS; children: ReactNode }) {
  return (
    <p className="flex flex-wrap justify-between gap-x-4 text-ink-muted text-sm tabular-nums">
      <span>{children}</span>
      <span>
        Action: <span className="font-semibold text-ink">{ACTIONS[action]}</span>
      </span>
    </p>
  )
}
