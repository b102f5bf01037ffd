/** An expression in the languages of exported programs. */
interface Expression {
  typescript: string
  python: string
}

/** What exported code reports of an answer: `predicted` of an outcome, from an answer of the response body. */
interface ReportedExpression extends Expression {
  /** From the answer as the input. */
  jq: string
}

/** How exported programs read an answer of the response body. */
interface ExportedReading {
  /** The member that states the answer as one number, for a type that has one. */
  member?: string
  /** One probability per outcome, from `answer`. By default they are read from the answer's `probabilities` by outcome key. */
  probabilities?: Expression
  /** The index of the predicted outcome, from `probabilities`; `meanOf` averages levels. By default the most likely outcome. */
  outcome?: Expression
  /**
   * How far an automatic answer may be from the right outcome without being wrong. Its confidence is the probability of all outcomes as
   * near. 0 by default.
   */
  slack?: number
  reported: ReportedExpression
}

/** What a question's answer can turn out to be, in the order of its probabilities: no and yes, the options, the levels. */
export interface Outcomes<Question> {
  names(question: Question): string[]
  /** Returns the keys of `probabilities` in an answer of the response body. For an answer without them, the names. */
  keys(question: Question): string[]
  /**
   * Returns the index of the outcome that a label such as "Yes", "billing" or "2" names; null when it names none. Labels
   * that number the levels of a scale start at `firstLevel`.
   */
  indexOf(question: Question, label: string, firstLevel: 0 | 1): number | null
  /** Returns one probability per outcome, or null when an answer of the response body does not fit the question. */
  probabilities(question: Question, answer: unknown): number[] | null
  /** Returns the index of the outcome that these probabilities stand for. It is the one that a label is compared with. */
  predicted(probabilities: number[]): number
  exported: ExportedReading
}

/** Returns a text without what labels may spell differently: case, white space and Unicode composition. */
export const foldedName = (text: string): string => text.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase()

/** Returns the index of the name that equals a label, or of the only one that differs just in case or white space; else null. */
export function findName(names: readonly string[], label: string): number | null {
  const exact = names.indexOf(label)
  if (exact >= 0) return exact
  const wanted = foldedName(label)
  const matches = names.flatMap((name, index) => (foldedName(name) === wanted ? [index] : []))
  return matches.length === 1 ? (matches[0] ?? null) : null
}
