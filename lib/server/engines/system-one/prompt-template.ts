/** Names the texts below. They are part of what a pinned id means: a change of any of them is a new id. */
export const PROMPT_TEMPLATE = "system-one-1"

/** What an engine is told where a question has no instructions: engines demand some, the service does not. */
export const INSTRUCTIONS = {
  noul: "Does the state fit the description of yes rather than the description of no?",
  choice: "Which option fits the state best?",
  score: "Which level fits the state best?",
}

/** What an engine is told of a level that says nothing. */
export const emptyLevel = (level: number): string => `Level ${level}`
