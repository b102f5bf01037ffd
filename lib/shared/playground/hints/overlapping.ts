import { type Rule, wordsOf } from "./hint"

const STOP = new Set(
  "a an the and or of for to in on with is are be it that this by as from at not no any all other none".split(" "),
)

function contentOf(text: string): Set<string> {
  const found = text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []
  return new Set(found.filter((word) => !STOP.has(word)).map((word) => word.replace(/(ies|es|s)$/, "")))
}

function overlap(a: Set<string>, b: Set<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length
  return shared / Math.max(1, Math.min(a.size, b.size))
}

/** More options than this are not compared each with each. */
const MOST_COMPARED = 60

/** Options that share most of their words share the probability too. */
export const overlapping: Rule = (question) => {
  if (question.type !== "choice") return null
  const options = question.options.slice(0, MOST_COMPARED).map(({ name, description }) => {
    const words = contentOf(name.replaceAll(/[_-]/g, " "))
    return { name, words, described: contentOf(wordsOf(description)) }
  })
  for (const [at, one] of options.entries())
    for (const other of options.slice(at + 1)) {
      const sameName = one.words.size > 0 && other.words.size > 0 && overlap(one.words, other.words) === 1
      const sameText =
        one.described.size > 2 && other.described.size > 2 && overlap(one.described, other.described) >= 0.6
      if (sameName || sameText)
        return {
          rule: "overlapping",
          message: `“${one.name}” and “${other.name}” overlap: what fits both is split between them. Say in each what the other does not cover.`,
        }
    }
  return null
}
