import type { OutcomeClaim } from "@/lib/shared/outcomes/outcome-claims"
import { percentOf } from "@/lib/shared/outcomes/outcomes-address"
import type { QuestionTypeName } from "@/questions/question-types"
import { KEY_MANAGERS, type Notices } from "./notice"

export interface OutcomeFacts {
  /** `model` is a pinned id. `target` is the accepted error rate; null for calibration. The question is not named: a user wrote its name. */
  outcome_alarm: { claim: OutcomeClaim; type: QuestionTypeName; model: string; target: number | null }
}

/** Returns what is at least 95% sure, without a full stop. It may have been so for a time only, because bets begin anew. */
function finding({ claim, type, target }: OutcomeFacts["outcome_alarm"]): string {
  if (target === null) return "Predictions did not come true as often as they said"
  const answers =
    type !== "noul" ? "accepted answers" : claim === "above" ? "automatic yes answers" : "automatic no answers"
  return `More than ${percentOf(target)}% of the ${answers} were wrong`
}

export const OUTCOME_NOTICES: Notices<OutcomeFacts> = {
  outcome_alarm: {
    label: "An alarm of outcomes fired",
    event: "outcomes.alarm",
    isSecurity: false,
    roles: KEY_MANAGERS,
    sample: { claim: "above", type: "noul", model: "svc-decider-4b-v1-1-api-1", target: 0.05 },
    write: (facts) => ({
      subject: finding(facts),
      intro: `${finding(facts)}, at least for a time since the alarm was set. By the outcomes that were reported, this is at least 95% sure. It is about a ${facts.type} question that ${facts.model} answers. See the question and its outcomes`,
      action: { label: "Open outcomes", path: "/outcomes" },
      terms: "The alarm fires once. Choose stricter thresholds or evaluate the model again, then set the alarm anew.",
    }),
  },
}
