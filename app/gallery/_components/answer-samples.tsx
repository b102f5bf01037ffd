import { EXAMPLE_ANSWER, EXAMPLE_CHECKED } from "@/lib/server/decisions/example-answer"
import { prepareAnswers } from "@/lib/shared/decisions/answers"
import { AnswerChart } from "@/questions/question-views"
import { Samples } from "./sample"

/** Shows the chart of each question type. */
export function AnswerSamples() {
  return (
    <Samples title="Answers">
      {prepareAnswers(EXAMPLE_CHECKED, EXAMPLE_ANSWER).map((answer) => (
        <AnswerChart key={answer.name} answer={answer} />
      ))}
    </Samples>
  )
}
