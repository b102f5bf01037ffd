import { askedIn, type Rule } from "./hint"

const COUNTING =
  /\b(how many|how often|count|number of|(?:more|less|fewer) than \d+|at least \d+|at most \d+|sum of|total of|average)\b/i
const DATES =
  /\b(how (?:long ago|old)|days? (?:ago|until|since|between)|(?:before|after|since|until) \d+|overdue|which (?:day|date|week))\b/i

/** Models read; they do not reckon. */
export const counting: Rule = (question) => {
  const text = askedIn(question)
  if (COUNTING.test(text))
    return {
      rule: "counting",
      message: "Models count and add up badly. Work the number out before, and put it into the state.",
    }
  if (DATES.test(text))
    return {
      rule: "dates",
      message:
        "Models know no calendar and not what day it is. Put today's date, or better the difference, into the state.",
    }
  return null
}
