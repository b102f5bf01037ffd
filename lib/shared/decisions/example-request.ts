/** The request that the console shows first: one question of each type about one message. */
export const EXAMPLE_REQUEST = {
  model: "svc-decider-latest",
  state: "My parcel arrived broken and support has not answered for a week. Please refund me.",
  questions: {
    refund: { type: "noul", instructions: "Does the customer ask for a refund?" },
    topic: {
      type: "choice",
      instructions: "What is the message about?",
      criteria: {
        delivery: "Late, lost or broken parcel",
        billing: "Invoice or payment",
        account: "Sign-in or password",
      },
    },
    anger: { type: "score", instructions: "How angry is the customer?", criteria: ["calm", "annoyed", "angry"] },
  },
} as const

const SMALL_REQUEST = {
  model: EXAMPLE_REQUEST.model,
  state: EXAMPLE_REQUEST.state,
  questions: { refund: EXAMPLE_REQUEST.questions.refund },
}

const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Returns a `curl` command for a decision request. `key` is an API key or a shell variable such as `$SVC_API_KEY`. */
export function smallCurl(baseUrl: string, key: string): string {
  return [
    `curl ${baseUrl}/v1/decisions \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d ${shellQuote(JSON.stringify(SMALL_REQUEST, null, 2))}`,
  ].join("\n")
}
