import { expect, test } from "vitest"
import type { CheckedQuestion, ChoiceQuestion } from "@/lib/shared/decisions/check"
import { choice } from "@/test/checked-request"
import { withPlainNames } from "./option-names"

const asChoice = (question: CheckedQuestion): ChoiceQuestion => {
  if (question.type !== "choice") throw new Error("not a choice")
  return question
}
const namesOf = (names: string[]) => withPlainNames(asChoice(choice("q", null, names))).options.map(({ name }) => name)

test("names that a strict engine takes are left alone", () => {
  const question = asChoice(choice("q", null, ["Billing", "shipping ", "10", "__proto__", "日本"]))
  expect(withPlainNames(question)).toBe(question)
})

test("equals but for case and outer white space are numbered, the first keeps its own", () => {
  expect(namesOf(["Billing", "billing", " BILLING ", "Straße", "STRASSE"])).toEqual([
    "Billing",
    "billing (2)",
    "BILLING (3)",
    "Straße",
    "STRASSE (2)",
  ])
})

test("a number that would be another option's name is not taken", () => {
  expect(namesOf(["a", "A", "a (2)"])).toEqual(["a", "A (3)", "a (2)"])
})

test("control characters become spaces, a blank name is an option", () => {
  expect(namesOf(["a\nb", "a b", "\u0000", "  ", "\t\u0085"])).toEqual([
    "a b (2)",
    "a b",
    "Option",
    "Option (2)",
    "Option (3)",
  ])
})
