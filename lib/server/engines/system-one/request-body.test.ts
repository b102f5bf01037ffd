import { expect, test } from "vitest"
import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import { checkedRequest, choice, jsonText, noul, score } from "@/test/checked-request"
import { isBlank } from "./blank-texts"
import { requestBody } from "./request-body"

const requestText = (model: string, request: CheckedRequest, isStrict = false) =>
  requestBody(model, request, { isStrict }).whole().toString()

test("writes every type in request order, with source texts as sent", () => {
  const request = checkedRequest(
    "Charged twice",
    choice("10", "Which?", [["10", "ten"], "2", ["__proto__", { a: 1 }]]),
    noul("2", { ask: "angry?" }, { yes: "shouts", no: null }),
    score("q", "How?", ["low", jsonText([0], "[1e300]")]),
  )
  expect(requestText("kev-4b", request)).toBe(
    '{"model":"kev-4b","state":"Charged twice","questions":{' +
      '"10":{"type":"choice","instructions":"Which?","criteria":{"10":"ten","2":null,"__proto__":{"a":1}}},' +
      '"2":{"type":"noul","instructions":{"ask":"angry?"},"criteria":{"true":"shouts"}},' +
      '"q":{"type":"score","instructions":"How?","criteria":["low",[1e300]]}}}',
  )
})

test("writes a state that is not a string as one string of its JSON", () => {
  const request = checkedRequest([{ role: "user", content: 'say "hi"' }], noul("q", "Rude?"))
  expect(requestText("m", request)).toBe(
    '{"model":"m","state":"[{\\"role\\":\\"user\\",\\"content\\":\\"say \\\\\\"hi\\\\\\"\\"}]","questions":{"q":{"type":"noul","instructions":"Rude?"}}}',
  )
})

test("writes default instructions for missing or empty ones, and null for empty descriptions", () => {
  const request = checkedRequest(
    "s",
    noul("a", null, { yes: "y", no: "" }),
    noul("b", "Q?", {}),
    choice("c", {}, [
      ["x", ""],
      ["y", {}],
    ]),
    score("d", "", ["x", "y"]),
  )
  const { questions } = JSON.parse(requestText("m", request))
  expect(questions).toEqual({
    a: {
      type: "noul",
      instructions: "Does the state fit the description of yes rather than the description of no?",
      criteria: { true: "y" },
    },
    b: { type: "noul", instructions: "Q?" },
    c: { type: "choice", instructions: "Which option fits the state best?", criteria: { x: null, y: null } },
    d: { type: "score", instructions: "Which level fits the state best?", criteria: ["x", "y"] },
  })
})

test("writes an empty level as its number", () => {
  const request = checkedRequest("s", score("d", "Q?", ["", {}, "high"]))
  expect(JSON.parse(requestText("m", request)).questions.d.criteria).toEqual(["Level 0", "Level 1", "high"])
})

test("writes only non-blank strings for a strict engine", () => {
  const request = checkedRequest(
    " \n",
    noul("a", " ", { yes: { is: "so" }, no: "\t" }),
    choice("b", { ask: ["which"] }, [
      ["x", { d: 1 }],
      ["y", " "],
    ]),
    score("c", "Q?", [["low"], "  "]),
  )
  expect(JSON.parse(requestText("m", request, true))).toEqual({
    model: "m",
    state: '" \\n"',
    questions: {
      a: {
        type: "noul",
        instructions: "Does the state fit the description of yes rather than the description of no?",
        criteria: { true: '{"is":"so"}' },
      },
      b: { type: "choice", instructions: '{"ask":["which"]}', criteria: { x: '{"d":1}', y: null } },
      c: { type: "score", instructions: "Q?", criteria: ['["low"]', "Level 1"] },
    },
  })
})

test.each([
  ["spaces", " "],
  ["escapes", "\t\n"],
  ["white space of two and three bytes", "\u00a0\u3000\u2028\ufeff"],
])("writes no blank string for a strict engine, however long: %s", (_, space) => {
  const blank = space.repeat(2_000)
  const request = checkedRequest(
    blank,
    noul("a", blank),
    score("b", "Q?", [blank, `${blank}x`, `${blank}é`, `${blank}😀`]),
  )
  const { state, questions } = JSON.parse(requestText("m", request, true))
  expect(state).toBe(JSON.stringify(blank))
  expect(questions.a.instructions).toBe("Does the state fit the description of yes rather than the description of no?")
  expect(questions.b.criteria).toEqual(["Level 0", `${blank}x`, `${blank}é`, `${blank}😀`])
})

test("a text is blank for a strict engine exactly if it is for String.trim", () => {
  const units = Array.from({ length: 0xd800 }, (_, i) => i).concat(Array.from({ length: 0x2000 }, (_, i) => 0xe000 + i))
  const escaped = (unit: number) => `"\\u${unit.toString(16).padStart(4, "0")}"`
  const wrong = units.filter((unit) => {
    const text = String.fromCharCode(unit)
    const found = [isBlank(jsonText(text)), isBlank(jsonText(text, escaped(unit)))]
    return found.some((each) => each !== (text.trim() === ""))
  })
  expect(wrong).toEqual([])
})

test("writes every character of a state that is not a string", () => {
  const state = { 'a"\\': ["\u0000\u001f\u007f\n", "é日😀\u2028", '\\\\"', '""'] }
  const { state: sent } = JSON.parse(requestText("m", checkedRequest(state, noul("q", "Q?"))))
  expect(JSON.parse(sent)).toEqual(state)
})
