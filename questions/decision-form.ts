import type { JsonText } from "@/lib/shared/json/text"

/** A value of a client as a prompt's template gets it. */
export type PromptValue = string | number | boolean | null | PromptValue[] | { [name: string]: PromptValue }

/** One of a question's answers as a prompt's template gets it. */
export interface PromptOption {
  key: string
  description: PromptValue
}

/** Reads a client's texts for a prompt, in which they contain no special token. */
export interface ClientTexts {
  name(text: string): string
  value(text: JsonText | null): PromptValue
}

/** What differs between decision models. */
export interface DecisionTraits {
  /** Into how many ratings, from certainly no to certainly yes, a yes or no is divided. Null: it has two options. */
  ratings: number | null
  /** Whether "true" is the first of the two options. */
  isTrueFirst: boolean
}

/** How the service's own engine shows a question to a model that was trained for decisions. */
export interface DecisionForm<Question, Answer> {
  options(question: Question, texts: ClientTexts, traits: DecisionTraits): PromptOption[]
  /** Present when other labels are read than one per option. */
  labels?: {
    count(traits: DecisionTraits): number
    /** Makes an answer from one probability per label. */
    toAnswer(probabilities: number[], traits: DecisionTraits): Answer
  }
}
