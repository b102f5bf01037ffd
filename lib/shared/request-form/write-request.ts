import type { QuestionForm, RequestForm } from "./request-form"
import { writeName, writeTextOrJson } from "./text-or-json"

type Member = [name: string, json: string | null]

/** Levels that fit in this many characters share a line. */
const MAX_LINE = 100

/** Writes an object from source text. A JavaScript object would move a name like `10` to the front and lose `__proto__`. */
function object(members: Member[], indent: string): string {
  const present = members.filter(([, json]) => json !== null)
  if (present.length === 0) return "{}"
  const lines = present.map(([name, json]) => `${indent}  ${name}: ${json}`)
  return `{\n${lines.join(",\n")}\n${indent}}`
}

/** Sorts members into the order they were read in. New members come last. */
function ordered(members: Member[], remembered: readonly string[] | undefined): Member[] {
  if (!remembered) return members
  const rest = new Map(members.map(([name, json]) => [JSON.parse(name) as string, [name, json] as Member]))
  const known = remembered.flatMap((source): Member[] => {
    const name = JSON.parse(source) as string
    const member = rest.get(name)
    rest.delete(name)
    return member ? [[source, member[1]]] : []
  })
  return [...known, ...rest.values()]
}

function meanings({ yes, no, meanings, members }: QuestionForm): string | null {
  const indent = "      "
  const written: Member[] = [
    ['"true"', writeTextOrJson(yes, null, `${indent}  `)],
    ['"false"', writeTextOrJson(no, null, `${indent}  `)],
  ]
  const isNamed = members?.some((source) => JSON.parse(source) === "criteria")
  return isNamed || written.some(([, json]) => json !== null) ? object(ordered(written, meanings), indent) : null
}

function levels({ levels }: QuestionForm): string {
  const items = levels.map(({ label }) => writeTextOrJson(label, '""', "        ") ?? '""')
  const line = items.join(", ")
  return line.length <= MAX_LINE && !line.includes("\n")
    ? `[${line}]`
    : `[\n        ${items.join(",\n        ")}\n      ]`
}

function criteria(question: QuestionForm): string | null {
  if (question.type === "noul") return meanings(question)
  if (question.type === "score") return levels(question)
  const options = question.options.map(
    ({ name, description, spelled }): Member => [
      writeName(name, spelled),
      writeTextOrJson(description, "null", "        "),
    ],
  )
  return object(options, "      ")
}

function question(form: QuestionForm): string {
  const members: Member[] = [
    ['"type"', writeName(form.type, form.typeSpelled)],
    ['"instructions"', writeTextOrJson(form.instructions, null, "      ")],
    ['"criteria"', criteria(form)],
  ]
  return object(ordered(members, form.members), "    ")
}

/**
 * Writes the form as the text of a decision request, with names and order as typed or read. JSON fields are inserted
 * unchanged, so each must be one valid value.
 */
export function writeRequest(form: RequestForm): string {
  const questions = form.questions.map((asked): Member => [writeName(asked.name, asked.spelled), question(asked)])
  const members: Member[] = [
    ['"model"', writeName(form.model, form.modelSpelled)],
    ['"state"', writeTextOrJson(form.state, '""', "  ")],
    ['"questions"', object(questions, "  ")],
  ]
  return object(ordered(members, form.members), "")
}
