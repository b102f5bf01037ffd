import { EXAMPLE_ANSWER, EXAMPLE_CHECKED } from "@/lib/server/decisions/example-answer"
import { prepareAnswers } from "@/lib/shared/decisions/answers"
import { EXAMPLE_REQUEST } from "@/lib/shared/decisions/example-request"
import { QUESTION_TYPES } from "@/questions/question-types"
import { AnswerChart } from "@/questions/question-views"

export function ExampleDecision() {
  const { state, questions } = EXAMPLE_REQUEST
  const answers = prepareAnswers(EXAMPLE_CHECKED, EXAMPLE_ANSWER)
  return (
    <section aria-labelledby="example" className="border-line border-y py-8">
      <h2 id="example" className="font-medium text-ink-muted text-sm">
        State
      </h2>
      <p className="mt-1 max-w-text text-md">{state}</p>
      <div className="mt-8 grid gap-x-12 gap-y-10 md:grid-cols-2 lg:grid-cols-3">
        {answers.map((answer) => {
          const question = questions[answer.name as keyof typeof questions]
          return (
            <div key={answer.name} className="min-w-0">
              <h3 className="font-medium">{question.instructions}</h3>
              <p className="mb-4 text-ink-muted text-sm">
                <code className="font-mono">{question.type}</code>, {QUESTION_TYPES[question.type].label}
              </p>
              <AnswerChart answer={answer} />
            </div>
          )
        })}
      </div>
      <p className="mt-8 max-w-text text-ink-muted text-sm">
        This is a real answer from <code className="font-mono">{EXAMPLE_ANSWER.model}</code>, the built-in keyword rules
        for trying the API, for {EXAMPLE_ANSWER.usage.input_tokens} input tokens. A decision model gives better answers.
      </p>
    </section>
  )
}
