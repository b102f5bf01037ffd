import { describe, expect, test } from "vitest"
import { asText } from "@/lib/shared/json-source/text-or-json"
import type { QuestionForm } from "@/questions/question-form"
import { emptyQuestion } from "@/questions/question-form"
import { checkForm } from "./check-form"
import { EXAMPLES, exampleForm } from "./examples"
import type { RequestForm } from "./request-form"
import { writeRequest } from "./write-request"

const asking = (...questions: QuestionForm[]): RequestForm => ({ ...exampleForm("m"), questions })
const noul = (name: string, instructions = "Is it?"): QuestionForm => ({
  ...emptyQuestion("noul", name),
  instructions: asText(instructions),
})
const choice = (name: string, options: string[]): QuestionForm => ({
  ...emptyQuestion("choice", name),
  options: options.map((option) => ({ name: option, description: asText("") })),
})
const score = (name: string, labels: string[]): QuestionForm => ({
  ...emptyQuestion("score", name),
  levels: labels.map((label) => ({ label: asText(label) })),
})

describe("the request that the form writes", () => {
  test("has the format of the specification", () => {
    const form: RequestForm = {
      model: "svc-decider-latest",
      keyId: "",
      state: asText('say "hi"\n'),
      questions: [
        { ...noul("a"), yes: asText("it is") },
        {
          ...choice("b", ["10", "__proto__"]),
          options: [
            { name: "10", description: asText("ten") },
            { name: "__proto__", description: asText("") },
          ],
        },
        { ...score("2", ["low", "high"]), instructions: asText("How?") },
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

  test.each(EXAMPLES)("the example $id is valid", (example) => {
    expect(checkForm(exampleForm("svc-decider-latest", example))).toMatchObject({ ok: true })
  })
})

describe("JSON in the form", () => {
  const json = (text: string) => checkForm({ ...exampleForm("m"), state: { kind: "json", text } })
  const refused = (text: string) => {
    const checked = json(text)
    return checked.ok ? null : checked.errors
  }

  test("is inserted with its order and digits unchanged", () => {
    const checked = json(' {"b": 1.10, "10": [2e3], "a": null} ')
    expect(checked.ok && checked.request.state.json()).toBe('{"b":1.10,"10":[2e3],"a":null}')
  })

  test("that is invalid is refused at its field with the API's error", () => {
    const at = (message: string) => [{ field: "state.text", message }]
    expect(refused('{"a" 1}')).toEqual(
      at("The state is not valid JSON. Line 1, column 6: Expected a colon after the name."),
    )
    expect(refused('{"a":1,"a":2}')).toEqual(at("An object has two members with the same name."))
    expect(refused("12")).toEqual(at("The state must be a string, an object or an array."))
    const described = {
      ...choice("a", ["x"]),
      options: [{ name: "x", description: { kind: "json", text: "{" } as const }],
    }
    expect(checkForm(asking(noul("b"), described))).toEqual({
      ok: false,
      isJsonValid: false,
      errors: [
        {
          field: "questions.1.options.0.description.text",
          message:
            "This is not valid JSON. Line 1, column 2: The text ends too early. Expected a name in double quotation marks, or }.",
        },
      ],
    })
  })

  test("cannot close its field early and add others", () => {
    expect(refused('"x", "questions": {}')?.[0]?.message).toBe(
      "The state is not valid JSON. Line 1, column 4: Expected the end: a JSON text has one value.",
    )
  })
})

describe("an error is shown at its field", () => {
  const field = (form: RequestForm) => {
    const checked = checkForm(form)
    return checked.ok ? null : checked.errors[0].field
  }

  test.each<[string, string, RequestForm]>([
    ["no model", "model", { ...exampleForm(""), model: "" }],
    ["an empty state", "state.text", { ...exampleForm("m"), state: asText("") }],
    ["no question", "questions.root", asking()],
    ["an empty name", "questions.1.name", asking(noul("a"), noul(""))],
    ["a name of 65 characters", "questions.1.name", asking(noul("a"), noul("n".repeat(65)))],
    ["a name with a dot, beside the name before its dot", "questions.1.name", asking(noul("a"), noul("a.b"))],
    ["a repeated name", "questions.2.name", asking(noul("a"), noul("b"), noul("a"))],
    ["a noul question without instructions and criteria", "questions.0.instructions.text", asking(noul("a", ""))],
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

  test.each([
    ["options", "The name of an option has 1 to 128 characters.", asking(choice("a", ["", ""]))],
    [
      "questions",
      "The name of a question has 1 to 64 characters: letters, digits, _ and -.",
      asking(noul(""), noul("")),
    ],
  ])("empty names of two %s are reported as missing, not as repeated", (_, message, form) => {
    const checked = checkForm(form)
    expect(checked.ok ? null : checked.errors[0].message).toBe(message)
  })

  test("in the words of the form, with the model's own limits", () => {
    const limits = { maxQuestions: 2, maxOptions: 3, maxLevels: 1 }
    const messages = (form: RequestForm) => {
      const checked = checkForm(form, limits)
      return checked.ok ? [] : checked.errors.map(({ message }) => message)
    }
    expect(messages(asking())).toEqual(["Add at least one question. This model takes up to 2."])
    expect(messages(asking(noul("a"), noul("b"), noul("c"), noul("d")))).toEqual([
      "This model takes up to 2 questions. Remove 2.",
    ])
    expect(messages(asking(choice("a", [])))).toEqual(["Add at least one option. This model takes up to 3."])
    expect(messages(asking(score("a", ["x", "y"])))).toEqual(["This model takes up to 1 level. Remove 1."])
    expect(messages(asking(noul("a", "")))).toEqual(["Write instructions, or describe what yes or no means."])
  })

  test("while typing for names that repeat, whatever else is missing", () => {
    const checked = checkForm(asking(noul("a", ""), noul("b"), noul("b"), choice("b", ["x", "y", "x"])))
    expect(checked.ok ? [] : checked.errors).toEqual([
      { field: "questions.3.name", message: '3 questions are named "b". Rename all but one.', isImmediate: true },
      { field: "questions.0.instructions.text", message: "Write instructions, or describe what yes or no means." },
      {
        field: "questions.3.options.2.name",
        message: 'Two options are named "x". Rename one of them.',
        isImmediate: true,
      },
      { field: "questions.2.name", message: '3 questions are named "b". Rename all but one.', isImmediate: true },
    ])
  })

  test("in every question at once, and for a model's own limits", () => {
    const fields = (form: RequestForm, limits = { maxQuestions: 16, maxOptions: 2, maxLevels: 10 }) => {
      const checked = checkForm(form, limits)
      return checked.ok ? [] : checked.errors.map(({ field }) => field)
    }
    expect(fields(asking(noul("a", ""), noul("b"), score("c", []), choice("c", [""])))).toEqual([
      "questions.3.name",
      "questions.0.instructions.text",
      "questions.2.levels.root",
      "questions.3.options.0.name",
    ])
    expect(fields(asking(choice("a", ["x", "y"])))).toEqual([])
    expect(fields(asking(choice("a", ["x", "y", "z"])))).toEqual(["questions.0.options.root"])
    expect(fields(asking(noul("a"), noul("b")), { maxQuestions: 1, maxOptions: 2, maxLevels: 10 })).toEqual([
      "questions.root",
    ])
  })
})
