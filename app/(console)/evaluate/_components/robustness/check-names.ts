import type { RowVariants } from "@/lib/shared/evaluate/figures/row-variants"
import type { EvaluationRun, RobustnessCheck, StabilityCheck } from "@/lib/shared/evaluate/run/evaluation-run"
import type { CheckedQuestion } from "@/questions/question-types"

/** The rows of a robustness check that have an answer to a question. */
export interface VariantsOfQuestion {
  run: EvaluationRun
  question: CheckedQuestion
  rows: RowVariants[]
}

export const KIND_NAMES: Record<RobustnessCheck["kind"], string> = {
  stability: "Stability",
  ablation: "What moves the answer",
}

export const CHECK_NAMES: Record<StabilityCheck, { label: string; hint: string }> = {
  repeated: { label: "The same request again", hint: "Shows how much an answer varies by itself." },
  reversed: { label: "Options in reverse order", hint: "For questions with options." },
  rotated: { label: "Second half of the options first", hint: "For questions with three options or more." },
  swapped: { label: "The opposite question", hint: "For yes/no questions: yes means what no meant." },
}
