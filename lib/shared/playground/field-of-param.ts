import type { PlaygroundForm, QuestionForm } from "./schema"

const QUESTION_NAME = /^[A-Za-z0-9_-]{1,64}$/
const LONGEST_NAME = 64
const LONGEST_OPTION = 128

/** Names that are missing or too long to be in a `param`, which then is the path of what holds them. */
const unnamed = (name: string, longest: number): boolean => name === "" || [...name].length > longest

function lastIndex<Item>(items: Item[], matches: (item: Item) => boolean): number {
  for (let i = items.length - 1; i >= 0; i--) {
    const item = items[i]
    if (item !== undefined && matches(item)) return i
  }
  return -1
}

/** An option whose name stands alone and is of a good length is named for its description. */
function optionField({ options }: QuestionForm, option: string): string {
  const isBad = option !== "" && options.filter(({ name }) => name === option).length === 1
  const index =
    option === ""
      ? options.findIndex(({ name }) => unnamed(name, LONGEST_OPTION))
      : lastIndex(options, ({ name }) => name === option)
  return index < 0 ? "options.root" : `options.${index}.${isBad ? "description.text" : "name"}`
}

/** Where in a question's criteria; `member` is what follows in the path, such as an option's name. */
function criteriaField(question: QuestionForm, member: string): string {
  if (question.type === "noul") return member === "false" ? "no.text" : "yes.text"
  if (question.type === "choice") return optionField(question, member)
  return question.levels[Number(member || -1)] ? `levels.${member}.label.text` : "levels.root"
}

function questionField(form: PlaygroundForm, question: QuestionForm, rest: string): string {
  if (rest.startsWith(".criteria")) return criteriaField(question, rest.slice(".criteria.".length))
  if (rest === ".type") return "type"
  if (rest === ".instructions") return "instructions.text"
  const isOnly = form.questions.filter(({ name }) => name === question.name).length === 1
  return isOnly && QUESTION_NAME.test(question.name) ? "instructions.text" : "name"
}

/**
 * The form's field that an error's `param` speaks of, as react-hook-form names fields; null when it is about none of them.
 * Of two equal names the later one is meant: it is the one that repeats.
 */
export function fieldOfParam(form: PlaygroundForm, param: string): string | null {
  if (param === "model") return "model"
  if (param === "body" || param === "state" || param.startsWith("state.")) return "state.text"
  if (param !== "questions" && !param.startsWith("questions.")) return null
  const path = param.slice("questions.".length)
  if (path === "") {
    const index = form.questions.findIndex(({ name }) => unnamed(name, LONGEST_NAME))
    return index < 0 ? "questions.root" : `questions.${index}.name`
  }
  const owns = ({ name }: QuestionForm) => path === name || path.startsWith(`${name}.`)
  const longest = Math.max(-1, ...form.questions.filter(owns).map(({ name }) => name.length))
  const index = lastIndex(form.questions, (question) => owns(question) && question.name.length === longest)
  const question = form.questions[index]
  if (!question) return "questions.root"
  return `questions.${index}.${questionField(form, question, path.slice(question.name.length))}`
}
