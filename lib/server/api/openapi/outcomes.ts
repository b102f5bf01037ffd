import { z } from "zod"
import { FIXED_RATES } from "@/lib/server/limits/fixed-rates"
import { MAX_OUTCOMES } from "@/lib/shared/outcomes/outcome-request"
import { OTHER, ofV1 } from "./responses"

const { failures, success } = ofV1

// The body of a 200. The schemas of the request are in the document by their ids.
z.strictObject({
  stored: z.int().min(0).meta({ description: "How many outcomes were stored. Repeats in one body count once." }),
}).meta({ id: "OutcomeResponse" })

const REQUEST_EXAMPLE = {
  outcomes: [
    {
      request_id: "req_01k34f5y8hfvzbn1q2r3s4t5v6",
      question: "refund",
      type: "noul",
      predicted: 0.91,
      outcome: true,
    },
    {
      request_id: "req_01k34f5y8hfvzbn1q2r3s4t5v6",
      question: "anger",
      type: "score",
      predicted: { score: 1.39, within_one: 0.96 },
      outcome: 2,
      at: "2026-11-28T09:30:00Z",
    },
  ],
  sampled_share: 0.05,
}

const DESCRIPTION = `Reports what really happened with answers, so that the console can compare predictions with it. It is free, and needs "Keep outcomes", which an owner turns on in the settings; while that is off, every body is \`400 invalid_request\` and nothing is stored.

A body has 1 to ${MAX_OUTCOMES.toLocaleString("en")} outcomes and at most 1 MiB. All of them are stored, or none. Each belongs to a charged request of the account of the key: any key of the account may report it. The model is taken from the charge. An outcome for the same question of the same request replaces the earlier one. Nothing but these fields is accepted: no text, no name of an option.

The rate is ${FIXED_RATES.outcomes.perSecond} requests per second and account, which count against no key. A \`400\` names the first item that is at fault, such as \`outcomes.3.request_id\`, and does not say whether another account has that request.`

export const outcomes = {
  post: {
    tags: ["Outcomes"],
    operationId: "createOutcomes",
    summary: "Report outcomes",
    description: DESCRIPTION,
    security: [{ apiKey: [] }],
    requestBody: {
      required: true,
      content: {
        "application/json": { schema: { $ref: "#/components/schemas/OutcomeRequest" }, example: REQUEST_EXAMPLE },
      },
    },
    responses: {
      200: success("The outcomes are stored.", "OutcomeResponse", { stored: 2 }),
      ...failures(["invalid_request", "invalid_api_key", "request_too_large", "rate_limited", "internal_error"], {
        withRateLimits: false,
      }),
      default: OTHER,
    },
  },
}
