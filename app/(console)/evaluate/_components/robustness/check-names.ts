import type { RobustnessCheck, StabilityCheck } from "@/lib/shared/evaluate/run/evaluation-run"

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
