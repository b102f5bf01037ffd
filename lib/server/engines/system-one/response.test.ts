import { describe, expect, test } from "vitest"
import { choice, noul, score } from "@/test/checked-request"
import { readReply } from "./response"

const questions = [choice("10", "Q?", ["b", "2", "__proto__"]), noul("2", "Q?"), score("q", "Q?", ["x", "y"])]
const sound = {
  "10": '{"type":"choice","choice":"b","probabilities":{"2":0.25,"__proto__":0.25,"b":0.5},"confidence":0.1}',
  "2": '{"type":"noul","noul":0.4,"x_label_mass":0.9}',
  q: '{"type":"score","score":0.7,"legend":{},"probabilities":{"1":0.7,"0":0.3}}',
}
const body = (answers: Record<string, string>) =>
  `{"model":"m","answers":{${Object.entries(answers)
    .map(([name, json]) => `"${name}":${json}`)
    .join(",")}}}`

test("reads probabilities in request order, whatever the engine's order", () => {
  expect(readReply(questions, body(sound)).answers).toEqual([
    { type: "choice", probabilities: [0.5, 0.25, 0.25] },
    { type: "noul", yes: 0.4 },
    { type: "score", probabilities: [0.3, 0.7] },
  ])
})

test("reads model and tokens when the response states them", () => {
  const text = (more: string) => `{"answers":{"2":{"type":"noul","noul":1}}${more}}`
  const one = [noul("2", "Q?")]
  expect(readReply(one, text(',"model":"m","usage":{"input_tokens":7}'))).toMatchObject({ model: "m", inputTokens: 7 })
  expect(readReply(one, text(',"model":1,"usage":{"input_tokens":"7"}'))).toMatchObject({
    model: null,
    inputTokens: null,
  })
  expect(readReply(one, text(""))).toMatchObject({ model: null, inputTokens: null })
})

describe("a missing or malformed part is upstream_error", () => {
  test.each<[string, string]>([
    ["no JSON", "nonsense"],
    ["JSON null", "null"],
    ["no answers", '{"model":"m"}'],
    ["answers in a list", '{"answers":[]}'],
    ["an answer missing", body({ "10": sound["10"], "2": sound["2"] })],
    ["an answer too many", body({ ...sound, extra: '{"type":"noul","noul":1}' })],
    ["an answer that is null", body({ ...sound, "2": "null" })],
    ["another type", body({ ...sound, "2": '{"type":"choice","noul":0.4}' })],
    ["noul as text", body({ ...sound, "2": '{"type":"noul","noul":"0.4"}' })],
    ["noul below 0", body({ ...sound, "2": '{"type":"noul","noul":-0.1}' })],
    ["noul above 1", body({ ...sound, "2": '{"type":"noul","noul":1.1}' })],
    ["noul that is not finite", body({ ...sound, "2": '{"type":"noul","noul":1e999}' })],
    ["an option missing", body({ ...sound, "10": '{"type":"choice","probabilities":{"b":0.5,"2":0.5}}' })],
    ["another option", body({ ...sound, "10": '{"type":"choice","probabilities":{"b":0.5,"2":0.5,"c":0}}' })],
    ["a probability that is null", body({ ...sound, q: '{"type":"score","probabilities":{"0":null,"1":1}}' })],
    ["a level too many", body({ ...sound, q: '{"type":"score","probabilities":{"0":0.3,"1":0.3,"2":0.4}}' })],
    ["nothing likely at all", body({ ...sound, q: '{"type":"score","probabilities":{"0":0,"1":0}}' })],
    ["probabilities in a list", body({ ...sound, q: '{"type":"score","probabilities":[0.3,0.7]}' })],
  ])("%s", (_, text) => {
    expect(() => readReply(questions, text)).toThrowError(expect.objectContaining({ code: "upstream_error" }))
  })
})
