import { z } from "zod"

/**
 * Words that the model reads, as a text or as JSON source. `spelled` is the source they were read from where the form would
 * write another, such as `null` or a string with escapes: it is written again for as long as the words are the same.
 */
export const Words = z.object({ kind: z.enum(["text", "json"]), text: z.string(), spelled: z.string().optional() })
export type Words = z.infer<typeof Words>

/** The source of an object's member names in their order, where that is not the order in which the form writes them. */
const Members = z.array(z.string()).optional()

/** One question as the form holds it: the fields of all three types, so that changing the type loses nothing. */
export const QuestionForm = z.object({
  type: z.enum(["noul", "choice", "score"]),
  name: z.string(),
  instructions: Words,
  yes: Words,
  no: Words,
  options: z.array(z.object({ name: z.string(), description: Words, spelled: z.string().optional() })),
  levels: z.array(z.object({ label: Words })),
  /** Of the name, and of the type. */
  spelled: z.string().optional(),
  typeSpelled: z.string().optional(),
  members: Members,
  /** Of a noul question's criteria. */
  meanings: Members,
})
export type QuestionForm = z.infer<typeof QuestionForm>

/** The playground's form, as typed and as kept in the browser. What is valid is for `checkRequest` to say, not for this. */
export const PlaygroundForm = z.object({
  model: z.string(),
  modelSpelled: z.string().optional(),
  /** The public id of the key it spends as; empty: the account's Playground key. */
  keyId: z.string(),
  state: Words,
  questions: z.array(QuestionForm),
  members: Members,
})
export type PlaygroundForm = z.infer<typeof PlaygroundForm>
