import type { QuestionForm, RequestForm } from "./request-form"

const QUESTION_NAME = /^[A-Za-z0-9_-]{1,64}$/
const MAX_NAME = 64
const MAX_OPTION_NAME = 128

/** A `param` never contains an empty or too long name. It names the containing object instead. */
const isUnnamed = (name: string, max: number): boolean => name === "" || [...name].length > max

function lastIndex<Item>(items: Item[], matches: (item: Item) => boolean): number {
  for (let i = items.length - 1; i >= 0; i--) {
    const item = items[i]
    if (item !== undefined && matches(item)) return i
  }
  return -1
}

/** A unique option name of valid length is not the error, so the description must be. */
function optionField({ options }: QuestionForm, option: string): string {
  const isDescription = option !== "" && options.filter(({ name }) => name === option).length === 1
  const index =
    option === ""
      ? options.findIndex(({ name }) => isUnnamed(name, MAX_OPTION_NAME))
      : lastIndex(options, ({ name }) => name === option)
  return index < 0 ? "options.root" : `options.${index}.${isDescription ? "description.text" : "name"}`
}

/** `member` is the rest of the `param` after the criteria, such as an option's name. */
function criteriaField(question: QuestionForm, member: string): string {
  if (question.type === "noul") return member === "false" ? "no.text" : "yes.text"
  if (question.type === "choice") return optionField(question, member)
  return question.levels[Number(member || -1)] ? `levels.${member}.label.text` : "levels.root"
}

function questionField(form: RequestForm, question: QuestionForm, rest: string): string {
  if (rest.startsWith(".criteria")) return criteriaField(question, rest.slice(".criteria.".length))
  if (rest === ".type") return "type"
  if (rest === ".instructions") return "instructions.text"
  const isOnly = form.questions.filter(({ name }) => name === question.name).length === 1
  return isOnly && QUESTION_NAME.test(question.name) ? "instructions.text" : "name"
}

/**
 * Returns the path of the field that an error's `param` names, or null when the form has no such field. Of two equal names
 * the later one is the error.
 */
export function fieldOfParam(form: RequestForm, param: string): string | null {
  if (param === "model") return "model"
  if (param === "body" || param === "state" || param.startsWith("state.")) return "state.text"
  if (param !== "questions" && !param.startsWith("questions.")) return null
  const path = param.slice("questions.".length)
  if (path === "") {
    const index = form.questions.findIndex(({ name }) => isUnnamed(name, MAX_NAME))
    return index < 0 ? "questions.root" : `questions.${index}.name`
  }
  const owns = ({ name }: QuestionForm) => path === name || path.startsWith(`${name}.`)
  const longest = Math.max(-1, ...form.questions.filter(owns).map(({ name }) => name.length))
  const index = lastIndex(form.questions, (question) => owns(question) && question.name.length === longest)
  const question = form.questions[index]
  if (!question) return "questions.root"
  return `questions.${index}.${questionField(form, question, path.slice(question.name.length))}`
}
