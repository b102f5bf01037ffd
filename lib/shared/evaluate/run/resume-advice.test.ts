import { expect, test } from "vitest"
import { describeRefusal } from "@/lib/shared/runs/describe-refusal"
import { resumeAdvice } from "./resume-advice"

const NEW_RUN = "This run keeps its key and its model. Cancel it, and start a new run."

test.each([
  ["key_limit_reached", "2026-11-21T00:00:00Z", "The key's limit resets at 00:00 UTC. Resume the run then."],
  ["key_limit_reached", null, NEW_RUN],
  ["invalid_api_key", null, NEW_RUN],
  ["model_retired", null, NEW_RUN],
  ["forbidden", null, "The server's reason."],
  ["insufficient_balance", null, "Top up, or ask for credit. Then resume the run."],
  [
    "capacity_exceeded",
    null,
    "This is not your rate limit. Nothing was charged. Wait a moment, or choose another model. Then resume the run.",
  ],
])("a run refused with %s and a reset at %s says: %s", (code, resets_at, advice) => {
  const refusal = { code, message: "The server's reason.", retryAfterSeconds: null, resets_at }
  expect(resumeAdvice(refusal, describeRefusal(refusal, new Date()))).toBe(advice)
})
