import { z } from "zod"

/** One question as the form holds it: the fields of all three types, so that changing the type loses nothing. */
export const QuestionForm = z.object({
  type: z.enum(["noul", "choice", "score"]),
  name: z.string(),
  instructions: z.string(),
  yes: z.string(),
  no: z.string(),
  options: z.array(z.object({ name: z.string(), description: z.string() })),
  levels: z.array(z.object({ label: z.string() })),
})
export type QuestionForm = z.infer<typeof QuestionForm>

/** The playground's form, as typed and as kept in the browser. What is valid is for `checkRequest` to say, not for this. */
export const PlaygroundForm = z.object({
  model: z.string(),
  /** The public id of the key it spends as; empty: the account's Playground key. */
  keyId: z.string(),
  stateKind: z.enum(["text", "json"]),
  state: z.string(),
  questions: z.array(QuestionForm),
})
export type PlaygroundForm = z.infer<typeof PlaygroundForm>
