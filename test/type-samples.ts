import { type CheckedQuestion, type QuestionTypeName, TYPE_NAMES } from "@/questions/question-types"
import type { TypeSample } from "@/questions/type-sample"

const loaded = await Promise.all(
  TYPE_NAMES.map(async (name) => {
    const { sample }: { sample: TypeSample<CheckedQuestion> } = await import(`../questions/${name}/sample.ts`)
    return [name, sample] as const
  }),
)

/** The sample of every question type. */
export const TYPE_SAMPLES = Object.fromEntries(loaded) as Record<QuestionTypeName, TypeSample<CheckedQuestion>>
