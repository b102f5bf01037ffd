import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import type { KeywordRules } from "@/questions/keyword-rules"
import { type RawAnswer, typeOf } from "@/questions/question-types"
import { scoreClaim } from "./claim"
import { Document } from "./detectors"
import { flatten, readFeatures } from "./features"
import { scoreLevels } from "./levels"
import { scoreOptions } from "./options"

const rulesFor = (document: Document): KeywordRules => ({
  claim: (instructions, yes, no) => scoreClaim({ instructions, yes, no }, document),
  options: (options) => scoreOptions(options, document),
  levels: (instructions, levels) => scoreLevels(instructions, levels, document),
})

/** Answers every question by the keyword rules, in request order. Waits for `beforeEach` before each, which may throw. */
export async function answerAll(
  { state, questions }: Pick<CheckedRequest, "state" | "questions">,
  beforeEach: () => void | Promise<void>,
): Promise<RawAnswer[]> {
  const rules = rulesFor(new Document(readFeatures(flatten(state))))
  const answers: RawAnswer[] = []
  for (const question of questions) {
    await beforeEach()
    answers.push(typeOf(question).byKeywords(question, rules))
  }
  return answers
}
