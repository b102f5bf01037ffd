import { type CheckedRequest, checkRequest } from "@/lib/shared/decisions/check-request"
import { EXAMPLE_REQUEST } from "@/lib/shared/decisions/example-request"

function checkedExample(): CheckedRequest {
  const checked = checkRequest(new TextEncoder().encode(JSON.stringify(EXAMPLE_REQUEST)))
  if (!checked.ok) throw new Error(checked.message)
  return checked.request
}

/** The example request after its check. */
export const EXAMPLE_CHECKED = checkedExample()

/** The built-in engine's exact answer to the example request. A test compares it with the engine. */
export const EXAMPLE_ANSWER = {
  model: "svc-lexical-baseline-1",
  answers: {
    refund: { type: "noul", noul: 0.9105289153401981 },
    topic: {
      type: "choice",
      choice: "delivery",
      confidence: 0.8212622855129998,
      probabilities: { delivery: 0.8808415236753333, billing: 0.05957923816233333, account: 0.05957923816233333 },
    },
    anger: {
      type: "score",
      score: 1.3879118465421274,
      confidence: 0.31189820230542564,
      legend: { "0": "calm", "1": "annoyed", "2": "angry" },
      probabilities: { "0": 0.035411342627127716, "1": 0.5412654682036171, "2": 0.4233231891692552 },
    },
  },
  usage: { input_tokens: 72, output_tokens: 3 },
}
