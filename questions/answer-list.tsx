"use client"
import clsx from "clsx"
import type { ReactNode } from "react"
import { WorkedFormula } from "@/components/charts/worked-formula"
import { useGrowingCount } from "@/components/timing/use-growing-count"
import type { JsonText } from "@/lib/shared/json/text"
import { shortText } from "@/lib/shared/long-runs"
import { type CheckedQuestion, explainConfidence, type PreparedAnswer } from "./question-types"
import { AnswerChart } from "./question-views"

const ANSWERS = { first: 10, more: 4 }
/** Three lines show less. */
const CLAMPED_LENGTH = 1_000

interface AnswerListProps {
  /** One per answer, in the same order. */
  questions: readonly CheckedQuestion[]
  answers: PreparedAnswer[]
  /** Draws an answer's chart with its notes. Return null to draw the plain one. */
  drawChart: (answer: PreparedAnswer, notes: ReactNode) => ReactNode
}

export function AnswerList({ questions, answers, drawChart }: AnswerListProps) {
  const count = useGrowingCount(answers.length, ANSWERS)
  return (
    <ol className="flex flex-col">
      {answers.slice(0, count).map((answer, at) => (
        <li
          key={answer.name}
          className="skip-offscreen @container flex flex-col gap-2 border-line border-t py-3.5 [contain-intrinsic-height:auto_14rem] first:border-t-0"
        >
          <QuestionHeading answer={answer} instructions={questions[at]?.instructions ?? null} />
          <Chart answer={answer} drawChart={drawChart} />
        </li>
      ))}
    </ol>
  )
}

function Chart({ answer, drawChart }: Pick<AnswerListProps, "drawChart"> & { answer: PreparedAnswer }) {
  const notes = <ConfidenceNote answer={answer} />
  return drawChart(answer, notes) ?? <AnswerChart answer={answer} notes={notes} />
}

interface QuestionHeadingProps {
  answer: PreparedAnswer
  instructions: JsonText | null
}

function QuestionHeading({ answer, instructions }: QuestionHeadingProps) {
  return (
    <div className="flex items-baseline justify-between gap-3">
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-2.5">
        <h2 className="min-w-0 break-all font-medium font-mono text-sm">{answer.name}</h2>
        {instructions ? (
          <p
            dir="auto"
            className={clsx("wrap-anywhere line-clamp-3", instructions.kind !== "string" && "font-mono text-sm")}
          >
            {shortText(instructions.text(), CLAMPED_LENGTH)}
          </p>
        ) : null}
      </div>
      <span className="text-ink-muted text-sm">{answer.type === "missing" ? null : answer.type}</span>
    </div>
  )
}

function ConfidenceNote({ answer }: { answer: PreparedAnswer }) {
  const explained = explainConfidence(answer)
  return explained ? <WorkedFormula title="What confidence means" {...explained} /> : null
}
