import type { PreparedAnswer, QuestionTypeName } from "@/questions/question-types"
import { AnswerChart } from "@/questions/question-views"

export interface ShownQuestion {
  name: string
  type: QuestionTypeName
  /** What its type means, such as "yes or no". */
  label: string
  instructions: string
}

interface ExampleAnswersProps {
  questions: ShownQuestion[]
  /** In the order of the questions. */
  answers: PreparedAnswer[]
}

export function ExampleAnswers({ questions, answers }: ExampleAnswersProps) {
  return questions.map(({ name, type, label, instructions }, at) => {
    const answer = answers[at]
    return answer ? (
      <div key={name} className="@container min-w-0">
        <h3 className="font-medium">{instructions}</h3>
        <p className="mb-3 text-ink-muted text-sm">
          <code className="font-mono">{type}</code>, {label}
        </p>
        <AnswerChart answer={answer} />
      </div>
    ) : null
  })
}
