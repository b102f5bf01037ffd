import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import { typeOf } from "@/questions/question-types"

/** Returns whether any answer depends on the engine. If not, `Engine.answer` makes no call. */
export const needsCall = ({ questions }: CheckedRequest): boolean =>
  questions.some((question) => typeOf(question).certainAnswer(question) === null)
