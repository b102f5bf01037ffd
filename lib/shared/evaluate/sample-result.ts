/**
 * What the sample's first question showed with the built-in keyword scorer. `right` counts answers on the right side of 0.5, and the other
 * figures are those of the rule. A test computes all of it again.
 */
export const SAMPLE_RESULT = {
  model: "svc-lexical-baseline-1",
  /** The UTC day of the recording. */
  day: "2026-11-28",
  question: "Does the customer ask for money back?",
  rows: 1_000,
  right: 919,
  rule: "Answer yes from 0.899 up and no below 0.23. Review the rows in between.",
  automatic: 623,
  wrong: 17,
  claims: [
    "At most 3.5% of the automatic yes are wrong (95% confidence).",
    "At most 6.0% of the automatic no are wrong (95% confidence, shown on the checking half).",
  ],
}
