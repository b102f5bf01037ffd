import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import type { CheckedQuestion, QuestionOf, QuestionTypeName, RawAnswer, RawAnswerOf } from "@/questions/question-types"
import { scoreChoice } from "./choice"
import { Document } from "./detectors"
import { flatten, readFeatures } from "./features"
import { scoreNoul } from "./noul"
import { scoreScore } from "./score"

/** The keyword rules of each question type. The compiler requires an entry for every type. */
const RULES: {
  [Name in QuestionTypeName]: (question: QuestionOf<Name>, document: Document) => RawAnswerOf<Name>
} = {
  noul: (question, document) => ({ type: "noul", yes: scoreNoul(question, document) }),
  choice: (question, document) => ({ type: "choice", probabilities: scoreChoice(question, document) }),
  score: (question, document) => ({ type: "score", probabilities: scoreScore(question, document) }),
}

function answerOne(question: CheckedQuestion, document: Document): RawAnswer {
  const answer = RULES[question.type] as (question: CheckedQuestion, document: Document) => RawAnswer
  return answer(question, document)
}

/** Answers every question by the keyword rules, in request order. Waits for `beforeEach` before each, which may throw. */
export async function answerAll(
  { state, questions }: Pick<CheckedRequest, "state" | "questions">,
  beforeEach: () => void | Promise<void>,
): Promise<RawAnswer[]> {
  const document = new Document(readFeatures(flatten(state)))
  const answers: RawAnswer[] = []
  for (const question of questions) {
    await beforeEach()
    answers.push(answerOne(question, document))
  }
  return answers
}
