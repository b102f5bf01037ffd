import { asText, emptyLevel, isBlank, type OptionForm, type QuestionForm, type TextOrJson } from "./request-form"

/** Advice on the wording of a question. It never blocks a request. */
export interface Hint {
  rule: string
  message: string
  fix?: { label: string; apply: (question: QuestionForm) => QuestionForm }
}

type Rule = (question: QuestionForm) => Hint | null

/** Only plain text is checked: JSON is usually written by programs. */
const plainText = ({ kind, text }: TextOrJson): string => (kind === "text" ? text : "")

const FLIPPED = /^(is|are|was|were|does|do|did|has|have|can|should|will)n['’]t\b/i
const NEGATED =
  /\b(is|are|was|were|does|do|did|has|have|can|should|will)(n['’]t| not)\b|\b(never|without|lacks?|fails? to)\b/i
const INSIDE = /^((?:is|are|was|were|does|do|did|has|have|can|should|will)\b.*?) not\b/i

/** Returns the question without its "not", or null when dropping the word is not enough. */
function positive(text: string): string | null {
  if (FLIPPED.test(text)) return text.replace(FLIPPED, "$1").replace(/^ca\b/i, "Can")
  return INSIDE.test(text) ? text.replace(INSIDE, "$1") : null
}

const negated: Rule = (question) => {
  if (question.type !== "noul") return null
  const text = plainText(question.instructions)
  const sentence = text.split(/(?<=\?)/)[0] ?? ""
  if (![NEGATED, FLIPPED, INSIDE].some((pattern) => pattern.test(sentence))) return null
  const without = positive(text)
  return {
    rule: "negated",
    message:
      "Negated questions are easy to misread: does “yes” confirm the “not” or deny it? Ask the positive question.",
    fix: without
      ? {
          label: "Remove the “not”",
          // The old meaning of yes is the new meaning of no.
          apply: (before) => ({ ...before, instructions: asText(without), yes: before.no, no: before.yes }),
        }
      : undefined,
  }
}

const TWO_MARKS = /\?[^?]*\w[^?]*\?/
const TWO_VERBS =
  /\b(and|or)\s+(also\s+)?(is|are|was|were|does|do|did|has|have|can|should|will|how|what|which|who|when|why)\b/i
const BOTH = /\b(and\/or|as well as)\b/i

const double: Rule = ({ instructions }) => {
  const text = plainText(instructions)
  if (!TWO_MARKS.test(text) && !TWO_VERBS.test(text) && !BOTH.test(text)) return null
  return {
    rule: "double",
    message: "This asks two questions, but returns one answer. Split it: a second question costs only its own tokens.",
  }
}

const COUNTING =
  /\b(how many|how often|count|number of|(?:more|less|fewer) than \d+|at least \d+|at most \d+|sum of|total of|average)\b/i
const DATES =
  /\b(how (?:long ago|old)|days? (?:ago|until|since|between)|(?:before|after|since|until) \d+|overdue|which (?:day|date|week))\b/i

const counting: Rule = ({ instructions }) => {
  const text = plainText(instructions)
  if (COUNTING.test(text))
    return {
      rule: "counting",
      message: "Models are bad at counting and adding. Calculate the number yourself and include it in the state.",
    }
  if (DATES.test(text))
    return {
      rule: "dates",
      message: "Models do not know today's date. Include it in the state, or better, the difference in days.",
    }
  return null
}

const CATCHES_ALL =
  /\b(other|others|none|neither|unclear|unknown|else|unsure|not applicable|any(thing|one)? else|n\/a|ask)\b/i
const spaced = (name: string): string => name.replaceAll(/[_-]/g, " ")

const noOther: Rule = ({ type, options }) => {
  if (type !== "choice") return null
  const named = options.filter(({ name }) => name.trim() !== "")
  if (named.length < 2) return null
  if (named.some(({ name, description }) => CATCHES_ALL.test(`${spaced(name)} ${plainText(description)}`))) return null
  return {
    rule: "no-other",
    message: "No option means “none of these”. A state that fits no option still gets one of them.",
    fix: {
      label: "Add “other”",
      apply: (before) => ({
        ...before,
        options: [...before.options, { name: "other", description: asText("None of the other options fits.") }],
      }),
    },
  }
}

const STOP_WORDS = new Set(
  "a an the and or of for to in on with is are be it that this by as from at not no any all other none".split(" "),
)

function contentWords(text: string): Set<string> {
  const found = text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []
  return new Set(found.filter((word) => !STOP_WORDS.has(word)).map((word) => word.replace(/(ies|es|s)$/, "")))
}

function overlap(a: Set<string>, b: Set<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length
  return shared / Math.max(1, Math.min(a.size, b.size))
}

/** Comparing every pair takes quadratic time. */
const MAX_COMPARED = 60

function contentOf({ name, description }: OptionForm) {
  return { name, words: contentWords(spaced(name)), described: contentWords(plainText(description)) }
}

const overlapping: Rule = ({ type, options }) => {
  if (type !== "choice") return null
  const contents = options.slice(0, MAX_COMPARED).map(contentOf)
  for (const [at, one] of contents.entries())
    for (const other of contents.slice(at + 1)) {
      const sameName = one.words.size > 0 && other.words.size > 0 && overlap(one.words, other.words) === 1
      const sameText =
        one.described.size > 2 && other.described.size > 2 && overlap(one.described, other.described) >= 0.6
      if (sameName || sameText)
        return {
          rule: "overlapping",
          message: `“${one.name}” and “${other.name}” overlap, so they share the probability. Describe what only one of them covers.`,
        }
    }
  return null
}

const oneLevel: Rule = ({ type, levels }) => {
  if (type !== "score" || levels.length !== 1) return null
  return {
    rule: "one-level",
    message: "With one level the score is always 0. Add a second level.",
    fix: { label: "Add a level", apply: (before) => ({ ...before, levels: [...before.levels, emptyLevel()] }) },
  }
}

const emptyText: Rule = ({ type, levels }) => {
  if (type !== "score") return null
  const at = levels.findIndex(({ label }) => isBlank(label))
  if (at < 0) return null
  return {
    rule: "empty-text",
    message: `Level ${at} is empty. Describe or remove it.`,
    fix:
      levels.length > 2
        ? {
            label: `Remove level ${at}`,
            apply: (before) => ({ ...before, levels: before.levels.filter((_, index) => index !== at) }),
          }
        : undefined,
  }
}

const noCriteria: Rule = ({ type, instructions, yes, no, options }) => {
  if (type === "noul" && !isBlank(instructions) && isBlank(yes) && isBlank(no))
    return {
      rule: "no-criteria",
      message: "Describe what counts as yes and what counts as no. It settles borderline cases.",
    }
  const named = type === "choice" ? options.filter(({ name }) => name !== "") : []
  if (named.length > 1 && named.every(({ description }) => isBlank(description)))
    return { rule: "no-criteria", message: "Describe what each option covers and what it does not." }
  if (type !== "noul" && isBlank(instructions))
    return { rule: "no-instructions", message: "Add instructions. One sentence is enough." }
  return null
}

/** Most important first. */
const RULES: readonly Rule[] = [negated, double, counting, noOther, overlapping, oneLevel, emptyText, noCriteria]

export const hintsOf = (question: QuestionForm): Hint[] => RULES.flatMap((rule) => rule(question) ?? [])
