import { isBlank } from "../words"
import { askedIn, type Rule } from "./hint"

/** What the words leave open, the model decides by itself. */
export const noCriteria: Rule = (question) => {
  if (question.type === "noul" && !isBlank(question.instructions) && isBlank(question.yes) && isBlank(question.no))
    return {
      rule: "no-criteria",
      message: "Nothing says what yes and no mean. A line for each settles the cases in between.",
    }
  if (question.type === "choice" && question.options.length > 1) {
    const named = question.options.filter(({ name }) => name !== "")
    if (named.length > 1 && named.every(({ description }) => isBlank(description)))
      return {
        rule: "no-criteria",
        message: "The options have names alone. Say what each covers, and what it does not.",
      }
  }
  if (question.type !== "noul" && askedIn(question) === "" && isBlank(question.instructions))
    return { rule: "no-instructions", message: "Nothing says what is asked. One sentence of instructions is enough." }
  return null
}
