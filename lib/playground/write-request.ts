import type { PlaygroundForm, QuestionForm } from "./schema"

type Member = [name: string, json: string]

/** Members as JSON text: an object of ours would move a name like `10` to the front and lose `__proto__`. */
function object(members: Member[], indent: string): string {
  if (members.length === 0) return "{}"
  const lines = members.map(([name, json]) => `${indent}  ${JSON.stringify(name)}: ${json}`)
  return `{\n${lines.join(",\n")}\n${indent}}`
}

const textOrNull = (text: string): string => (text === "" ? "null" : JSON.stringify(text))

function criteria(question: QuestionForm): Member[] {
  const indent = "      "
  if (question.type === "noul") {
    const meanings: Member[] = []
    if (question.yes !== "") meanings.push(["true", JSON.stringify(question.yes)])
    if (question.no !== "") meanings.push(["false", JSON.stringify(question.no)])
    return meanings.length > 0 ? [["criteria", object(meanings, indent)]] : []
  }
  if (question.type === "choice") {
    const options = question.options.map(({ name, description }): Member => [name, textOrNull(description)])
    return [["criteria", object(options, indent)]]
  }
  return [["criteria", `[${question.levels.map(({ label }) => JSON.stringify(label)).join(", ")}]`]]
}

function question(form: QuestionForm): string {
  const members: Member[] = [["type", JSON.stringify(form.type)]]
  if (form.instructions !== "") members.push(["instructions", JSON.stringify(form.instructions)])
  return object([...members, ...criteria(form)], "    ")
}

/**
 * The form as the text of a decision request, names and order as typed. A JSON state goes in as it stands, so it must have
 * been found to be one JSON value before.
 */
export function writeRequest(form: PlaygroundForm): string {
  return object(
    [
      ["model", JSON.stringify(form.model)],
      ["state", form.stateKind === "json" ? form.state.trim() : JSON.stringify(form.state)],
      [
        "questions",
        object(
          form.questions.map((asked): Member => [asked.name, question(asked)]),
          "  ",
        ),
      ],
    ],
    "",
  )
}
