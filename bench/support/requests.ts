import { THREE_QUESTIONS } from "../../e2e/support/requests"

/** Returns the n-th decision request: three questions about a new state, so its token count is not cached. */
export function decisionBody(n: number): string {
  return JSON.stringify({ ...THREE_QUESTIONS, state: `${THREE_QUESTIONS.state} Ticket ${String(n).padStart(9, "0")}.` })
}

/** Returns a chat completion request of the same length. */
export function chatBody(n: number): string {
  const body = (content: string) => JSON.stringify({ model: "kev-4b", messages: [{ role: "user", content }] })
  const room = decisionBody(n).length - body("").length
  return body(`Ticket ${String(n).padStart(9, "0")}. `.padEnd(room, "All is well, thank you. "))
}

export const ANSWERS = JSON.stringify({
  model: "kev-4b",
  answers: {
    angry: { type: "noul", noul: 0.9731 },
    team: {
      type: "choice",
      choice: "billing",
      probabilities: { billing: 0.9012, shipping: 0.0603, technical: 0.0385 },
      confidence: 0.8518,
    },
    urgency: {
      type: "score",
      score: 2.4,
      legend: { "0": "Can wait", "1": "This week", "2": "Today", "3": "Right now" },
      probabilities: { "0": 0.02, "1": 0.08, "2": 0.38, "3": 0.52 },
      confidence: 0.42,
    },
  },
  usage: { input_tokens: 814, output_tokens: 0 },
})

function completion(content: string): string {
  return JSON.stringify({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_790_000_000,
    model: "kev-4b",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: { prompt_tokens: 214, completion_tokens: 3, total_tokens: 217 },
  })
}

/** A chat completion of the same length. */
export const CHAT_COMPLETION = completion("y".repeat(ANSWERS.length - completion("").length))
