import type { RecordedQuestion } from "@/lib/shared/evaluate/export/sign-off-record"

/** Describes the rule of a record with all digits of its thresholds. */
export function ruleText({ rule, options }: Pick<RecordedQuestion, "rule" | "options">): string {
  if (options) {
    const from = options.flatMap(([option, least]) => (least === null ? [] : [`${option} from ${least} up`]))
    return `Automatic ${from.join(", ")}. All else is reviewed.`
  }
  if (!rule) return "Every answer is reviewed."
  const parts = [
    ...(rule.low === null ? [] : [`below ${rule.low}`]),
    ...(rule.high === null ? [] : [`from ${rule.high} up`]),
  ]
  return `Automatic ${parts.join(" and ")}. All else is reviewed.`
}
