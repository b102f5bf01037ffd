import type { JsonText } from "@/lib/shared/json/text"

/** An option of a question. Names are texts of the client. */
export interface NamedOption {
  name: string
  description: JsonText | null
}

/** What the keyword scorer can determine about the state of a request. */
export interface KeywordRules {
  /** Returns the probability of yes. `yes` and `no` describe the answers. */
  claim(instructions: JsonText | null, yes: JsonText | null, no: JsonText | null): number
  /** Returns one probability per option, in this order. */
  options(options: readonly NamedOption[]): number[]
  /** Returns one probability per level, lowest first. */
  levels(instructions: JsonText | null, levels: readonly JsonText[]): number[]
}
