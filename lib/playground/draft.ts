import { z } from "zod"
import { PlaygroundForm } from "./schema"

/** What was typed, and the JSON view's text where that was shown. */
export const Draft = z.object({ form: PlaygroundForm, json: z.string().nullable() })
export type Draft = z.infer<typeof Draft>

/** Per account: who signs in next in the same browser starts with the example. */
const nameOf = (accountId: string): string => `playground:${accountId}`

/** The draft that this browser keeps for an account, or null. */
export function readDraft(accountId: string): Draft | null {
  try {
    const draft = Draft.safeParse(JSON.parse(localStorage.getItem(nameOf(accountId)) ?? "null"))
    return draft.success ? draft.data : null
  } catch {
    return null
  }
}

/** Keeps a draft; false when the browser has no room for it. */
export function writeDraft(accountId: string, draft: Draft): boolean {
  try {
    localStorage.setItem(nameOf(accountId), JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}
