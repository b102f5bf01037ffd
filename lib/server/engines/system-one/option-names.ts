import type { ChoiceQuestion } from "@/lib/shared/decisions/check"

const CONTROL = /\p{Cc}+/gu

/** Equal for names that strict engines take for the same: without outer white space, upper and lower case alike. */
const folded = (name: string): string => name.trim().toUpperCase().toLowerCase()

/** A name close to `name` that is not taken: control characters become spaces, equals are numbered, a blank is "Option". */
function aliasOf(name: string, taken: Set<string>): string {
  const plain = name.replace(CONTROL, " ").trim() || "Option"
  let alias = plain
  for (let n = 2; taken.has(folded(alias)); n++) alias = `${plain} (${n})`
  return alias
}

/**
 * The question with option names that a strict engine takes: those it would refuse get another, the first of equals keeps
 * its own. Answers are read by position, so nobody sees the alias but the model.
 */
export function withPlainNames(question: ChoiceQuestion): ChoiceQuestion {
  const taken = new Set<string>()
  const keeps = question.options.map(({ name }) => {
    const own = folded(name)
    if (own === "" || name.search(CONTROL) >= 0 || taken.has(own)) return false
    taken.add(own)
    return true
  })
  if (!keeps.includes(false)) return question
  const options = question.options.map((option, i) => {
    if (keeps[i]) return option
    const name = aliasOf(option.name, taken)
    taken.add(folded(name))
    return { ...option, name }
  })
  return { ...question, options }
}
