import { describe, expect, test } from "vitest"
import { choice, EXAMPLES, noul, score } from "@/lib/shared/request-form/examples"
import type { QuestionForm } from "@/questions/question-form"
import { hintsOf } from "./question-types"

const hintsOn = (question: QuestionForm) => hintsOf(question.type, question)
const fix = (question: QuestionForm): QuestionForm => ({ ...question, ...hintsOn(question)[0]?.fix?.change(question) })
const rules = (question: QuestionForm) => hintsOn(question).map(({ rule }) => rule)
const asking = (instructions: string) => noul("q", instructions, "It is so.", "It is otherwise.")
const options = (...names: string[]) =>
  choice(
    "q",
    "Which?",
    names.map((name): [string, string] => [name, `Everything of ${name}.`]),
  )

test.each(EXAMPLES)("the questions of the example $id have no hints", ({ questions }) => {
  expect(questions.flatMap(rules)).toEqual([])
})

test.each<[string, string[]]>([
  ["Isn't the customer angry?", ["negated"]],
  ["Is the customer not angry?", ["negated"]],
  ["Can't the customer pay?", ["negated"]],
  ["Won’t the customer pay?", ["negated"]],
  ["Is it true that the customer cannot pay?", ["negated"]],
  ["Was the parcel sent without a bill?", ["negated"]],
  ["Does the customer never mention a price?", ["negated"]],
  ["Is there a note on the fridge?", []],
  ["Is it urgent? Is it about billing?", ["double"]],
  ["Is the customer angry and does he want a refund?", ["double"]],
  ["Is it salt and pepper?", []],
  ["Are there more than 3 items?", ["counting"]],
  ["How many people are named?", ["counting"]],
  ["Is the invoice overdue?", ["dates"]],
  ["Was it sent after 2024?", ["dates"]],
])("%s", (instructions, expected) => {
  expect(rules(asking(instructions))).toEqual(expected)
})

describe("criteria", () => {
  test("options without a catch-all get a hint with a fix", () => {
    const question = options("red", "green")
    const [hint] = hintsOn(question)
    expect(hint?.rule).toBe("no-other")
    expect(rules(fix(question))).toEqual([])
    expect(rules(options("red", "green", "none_of_these"))).toEqual([])
    expect(
      rules(
        choice("q", "Which?", [
          ["red", "Red."],
          ["rest", "Any other colour."],
        ]),
      ),
    ).toEqual([])
  })

  test("options that overlap by name or description get a hint", () => {
    expect(rules(options("shipping", "shipping_late", "other"))).toEqual(["overlapping"])
    const texts: [string, string][] = [
      ["a", "Late parcels, lost parcels, broken parcels"],
      ["b", "Parcels that are late or broken"],
      ["other", "The rest"],
    ]
    expect(rules(choice("q", "Which?", texts))).toEqual(["overlapping"])
  })

  test("a score with one level gets a hint with a fix", () => {
    const question = score("q", "How much?", ["some"])
    const [hint] = hintsOn(question)
    expect(hint?.rule).toBe("one-level")
    expect(fix(question).levels).toHaveLength(2)
  })

  test("an empty level gets a hint with a fix", () => {
    const question = score("q", "How much?", ["none", "", "all"])
    const [hint] = hintsOn(question)
    expect(hint?.rule).toBe("empty-text")
    expect(fix(question).levels.map(({ label }) => label.text)).toEqual(["none", "all"])
  })

  test("a question without criteria or instructions gets a hint", () => {
    expect(rules(noul("q", "Is it good?", "", ""))).toEqual(["no-criteria"])
    expect(rules(noul("q", "", "Good.", ""))).toEqual([])
    expect(
      rules(
        choice("q", "Which?", [
          ["red", ""],
          ["other", ""],
        ]),
      ),
    ).toEqual(["no-criteria"])
    expect(rules(score("q", "", ["low", "high"]))).toEqual(["no-instructions"])
  })

  test("removing a negation swaps the meanings of yes and no", () => {
    const question = noul("q", "Isn't the customer angry?", "calm", "angry")
    const fixed = fix(question)
    expect(fixed.instructions.text).toBe("Is the customer angry?")
    expect([fixed.yes.text, fixed.no.text]).toEqual(["angry", "calm"])
    const inside = noul("q", "Is the customer not angry?", "", "")
    expect(fix(inside).instructions.text).toBe("Is the customer angry?")
  })

  test.each([
    ["Can't the customer pay?", "Can the customer pay?"],
    ["won’t the customer pay?", "will the customer pay?"],
    ["Isn't the parcel here? Do not guess.", "Is the parcel here? Do not guess."],
  ])("removing the negation of %j gives %j", (instructions, positive) => {
    expect(fix(asking(instructions)).instructions.text).toBe(positive)
  })

  test("a “not” of another sentence is not removed", () => {
    const [hint] = hintsOn(asking("Is the customer without a parcel? Do not guess."))
    expect(hint?.rule).toBe("negated")
    expect(hint?.fix).toBeUndefined()
  })

  test("instructions in JSON are not checked", () => {
    expect(rules({ ...asking(""), instructions: { kind: "json", text: '{"not":"how many?"}' } })).toEqual([])
  })
})

test("100,000 characters without a second question mark are read within 1 s", () => {
  const start = performance.now()
  expect(rules(asking(`?${"0".repeat(100_000)}`))).not.toContain("double")
  expect(performance.now() - start).toBeLessThan(1_000)
})
