import type { Probe, StabilityCheck } from "../../model/evaluation-run"

export const PROBE_NAMES: Record<Probe["kind"], string> = {
  stability: "Stability",
  ablation: "What moves the answer",
}

export const CHECK_NAMES: Record<StabilityCheck, { label: string; hint: string }> = {
  repeated: { label: "The same request again", hint: "Shows how much an answer varies by itself." },
  reversed: { label: "Options in reverse order", hint: "For questions with options." },
  rotated: { label: "Second half of the options first", hint: "For questions with three options or more." },
  swapped: { label: "The opposite question", hint: "For yes/no questions: yes means what no meant." },
}
