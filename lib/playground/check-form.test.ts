import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { checkForm } from "./check-form"
import { emptyQuestion, exampleForm } from "./example"
import type { PlaygroundForm, QuestionForm } from "./schema"
import { writeRequest } from "./write-request"

const asking = (...questions: QuestionForm[]): PlaygroundForm => ({ ...exampleForm("m"), questions })
const noul = (name: string, instructions = "Is it?"): QuestionForm => ({ ...emptyQuestion("noul", name), instructions })
const choice = (name: string, options: string[]): QuestionForm => ({
  ...emptyQuestion("choice", name),
  options: options.map((option) => ({ name: option, description: "" })),
})
const score = (name: string, labels: string[]): QuestionForm => ({
  ...emptyQuestion("score", name),
  levels: labels.map((label) => ({ label })),
})

describe("the request that the form stands for", () => {
  test("is written as the specification has it", () => {
    const form: PlaygroundForm = {
      model: "svc-decider-latest",
      keyId: "",
      stateKind: "text",
      state: 'say "hi"\n',
      questions: [
        { ...noul("a"), yes: "it is" },
        {
          ...choice("b", ["10", "__proto__"]),
          options: [
            { name: "10", description: "ten" },
            { name: "__proto__", description: "" },
          ],
        },
        { ...score("2", ["low", "high"]), instructions: "How?" },
      ],
    }
    expect(writeRequest(form)).toBe(`{
  "model": "svc-decider-latest",
  "state": "say \\"hi\\"\\n",
  "questions": {
    "a": {
      "type": "noul",
      "instructions": "Is it?",
      "criteria": {
        "true": "it is"
      }
    },
    "b": {
      "type": "choice",
      "criteria": {
        "10": "ten",
        "__proto__": null
      }
    },
    "2": {
      "type": "score",
      "instructions": "How?",
      "criteria": ["low", "high"]
    }
  }
}`)
  })

  test("the example passes the API's check at once", () => {
    expect(checkForm(exampleForm("svc-decider-latest"))).toMatchObject({ ok: true })
  })

  test("any valid form passes the check with its names, texts and order kept", () => {
    const name = fc.oneof(
      fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
      fc.constantFrom("__proto__", "10", "2", "constructor"),
    )
    const option = fc.oneof(
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }),
      fc.constantFrom("__proto__", "10", "2", "toString", '"', "\\"),
    )
    const text = fc.string({ unit: "grapheme", maxLength: 60 })
    const question = fc.record({
      type: fc.constantFrom("noul" as const, "choice" as const, "score" as const),
      name,
      instructions: text.map((instructions) => `${instructions}?`),
      yes: text,
      no: text,
      options: fc.uniqueArray(fc.record({ name: option, description: text }), {
        minLength: 1,
        maxLength: 12,
        selector: (item) => item.name,
      }),
      levels: fc.array(fc.record({ label: text }), { minLength: 1, maxLength: 10 }),
    })
    const questions = fc.uniqueArray(question, { minLength: 1, maxLength: 8, selector: (item) => item.name })
    fc.assert(
      fc.property(questions, text, (asked, state) => {
        const checked = checkForm({ model: "m", keyId: "", stateKind: "text", state: `${state}.`, questions: asked })
        if (!checked.ok) throw new Error(`${checked.field}: ${checked.message}`)
        const { request } = checked
        expect(request.state.text()).toBe(`${state}.`)
        expect(request.questions.map((q) => [q.name, q.type])).toEqual(asked.map((q) => [q.name, q.type]))
        for (const [index, q] of request.questions.entries()) {
          const form = asked[index]
          expect(q.instructions?.text()).toBe(form?.instructions)
          if (q.type === "noul")
            expect([q.criteria?.yes?.text() ?? "", q.criteria?.no?.text() ?? ""]).toEqual([form?.yes, form?.no])
          if (q.type === "choice")
            expect(q.options.map((o) => [o.name, o.description?.text() ?? ""])).toEqual(
              form?.options.map((o) => [o.name, o.description]),
            )
          if (q.type === "score")
            expect(q.levels.map((level) => level.text())).toEqual(form?.levels.map((l) => l.label))
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe("a JSON state", () => {
  const json = (state: string) => checkForm({ ...exampleForm("m"), stateKind: "json", state })

  test("goes in as it stands, order and digits kept", () => {
    const checked = json(' {"b": 1.10, "10": [2e3], "a": null} ')
    expect(checked.ok && checked.request.state.json()).toBe('{"b":1.10,"10":[2e3],"a":null}')
  })

  test("that is no JSON is refused at the state with the API's verdict", () => {
    expect(json('{"a":')).toEqual({ ok: false, field: "state", message: "The state is not valid JSON." })
    expect(json("")).toEqual({ ok: false, field: "state", message: "The state is not valid JSON." })
    expect(json('{"a":1,"a":2}')).toEqual({ ok: false, field: "state", message: "An object has the same name twice." })
    expect(json("12")).toEqual({
      ok: false,
      field: "state",
      message: "The state must be a string, an object or an array.",
    })
  })

  test("cannot end its field early and add others", () => {
    expect(json('"x", "questions": {}')).toEqual({ ok: false, field: "state", message: "The state is not valid JSON." })
  })
})

describe("what is wrong is said at its field", () => {
  const field = (form: PlaygroundForm) => {
    const checked = checkForm(form)
    return checked.ok ? null : checked.field
  }

  test.each<[string, string, PlaygroundForm]>([
    ["no model", "model", { ...exampleForm(""), model: "" }],
    ["an empty state", "state", { ...exampleForm("m"), state: "" }],
    ["no question", "questions.root", asking()],
    ["an empty name", "questions.1.name", asking(noul("a"), noul(""))],
    ["a name of 65 characters", "questions.1.name", asking(noul("a"), noul("n".repeat(65)))],
    ["a name with a dot, beside the name before its dot", "questions.1.name", asking(noul("a"), noul("a.b"))],
    ["a repeated name", "questions.2.name", asking(noul("a"), noul("b"), noul("a"))],
    ["a noul question that asks nothing", "questions.0.instructions", asking(noul("a", ""))],
    ["no option", "questions.0.options.root", asking(choice("a", []))],
    [
      "256 options",
      "questions.0.options.root",
      asking(
        choice(
          "a",
          Array.from({ length: 256 }, (_, i) => `o${i}`),
        ),
      ),
    ],
    ["an option without a name", "questions.0.options.1.name", asking(choice("a", ["x", ""]))],
    ["an option name of 129 characters", "questions.0.options.1.name", asking(choice("a", ["x", "y".repeat(129)]))],
    ["a repeated option", "questions.1.options.2.name", asking(noul("b"), choice("a", ["x.y", "z", "x.y"]))],
    ["no level", "questions.0.levels.root", asking(score("a", []))],
    ["eleven levels", "questions.0.levels.root", asking(score("a", Array(11).fill("l")))],
  ])("%s", (_, expected, form) => {
    expect(field(form)).toBe(expected)
  })
})
