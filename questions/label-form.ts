import type { JsonText } from "@/lib/shared/json/text"

/** Text of this service, or a client's. Each is tokenized alone. */
export type PromptPart = { own: string } | { client: JsonText | string }

/**
 * How a question is asked of an ordinary model, which answers with one label. Levels are numbered and always lowest first; other
 * answers get letters. Part of what a pinned id means: a change of any text needs a new version (`LABEL_PROMPT`).
 */
export interface LabelForm<Question> {
  /** Returns what each label stands for: texts on lines of their own. */
  meanings(question: Question): PromptPart[][]
  /** Every text of this service that `meanings` can return. They are tokenized in advance. */
  ownTexts: readonly string[]
  /** The last line of the prompt. */
  request: string
}

export const own = (text: string): PromptPart => ({ own: text })

/** Returns a client's text. Empty texts are valid in the API and count as missing. */
export const given = (text: JsonText | null): PromptPart[] => (text && !text.isEmpty() ? [{ client: text }] : [])
