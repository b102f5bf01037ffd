import { MODEL } from "./requests"

/** A request of few bytes in a link, with or without its answers. */
export interface HeavyRequest {
  request: string
  response: string | null
}

type Question = Record<string, unknown>

const requestOf = (state: string, questions: Record<string, Question>): string =>
  JSON.stringify({ model: MODEL, state, questions })

const named = (count: number, question: (at: number) => Question): Record<string, Question> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`q${at}`, question(at)]))

const optionsOf = (count: number, description: string | null): Record<string, string | null> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`o${at}`, description]))

const CHOICES = requestOf(
  "s",
  named(128, () => ({ type: "choice", instructions: "Which?", criteria: optionsOf(255, null) })),
)
const PROBABILITIES = Object.fromEntries(Array.from({ length: 255 }, (_, at) => [`o${at}`, at === 0 ? 1 : 0]))

const CHOSEN = JSON.stringify({
  model: MODEL,
  answers: named(128, () => ({ type: "choice", choice: "o0", confidence: 1, probabilities: PROBABILITIES })),
  usage: { input_tokens: 1, output_tokens: 128 },
})

/** As many questions and options as a request may have, and the texts that cost the most to show. */
export const HEAVY = {
  "128 questions with 255 options, with answers": { request: CHOICES, response: CHOSEN },
  "128 questions with 255 options": { request: CHOICES, response: null },
  "510 descriptions of 7,000 x": {
    request: requestOf(
      "s",
      named(2, () => ({ type: "choice", instructions: "Which?", criteria: optionsOf(255, "x".repeat(7_000)) })),
    ),
    response: null,
  },
  "128 instructions of 19,999 x": {
    request: requestOf(
      "s",
      named(128, () => ({ type: "noul", instructions: "x".repeat(19_999) })),
    ),
    response: null,
  },
  "128 instructions of 19,000 characters in alternating directions": {
    request: requestOf(
      "s",
      named(128, () => ({ type: "noul", instructions: "a\u05d0".repeat(9_500) })),
    ),
    response: null,
  },
  "100,000 characters in isolates": {
    request: requestOf("\u2067a\u2069".repeat(33_333), { fits: { type: "noul", instructions: "Does it fit?" } }),
    response: null,
  },
  "an instruction of 100,000 characters in alternating directions": {
    request: requestOf("s", { fits: { type: "noul", instructions: "a\u05d0".repeat(50_000) } }),
    response: null,
  },
  "an instruction of 100,000 combining marks": {
    request: requestOf("s", { fits: { type: "noul", instructions: `a${"\u0301".repeat(100_000)}` } }),
    response: null,
  },
  "3.9 MB of x": {
    request: requestOf("x".repeat(3_900_000), { fits: { type: "noul", instructions: "Does it fit?" } }),
    response: null,
  },
} satisfies Record<string, HeavyRequest>
