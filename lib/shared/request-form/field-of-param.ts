import { isQuestionName, isUnnamed } from "@/questions/check-fields"
import { CEILINGS } from "@/questions/limits"
import type { QuestionForm } from "@/questions/question-form"
import { criteriaForm } from "@/questions/question-types"
import type { RequestForm } from "./request-form"

function questionField(form: RequestForm, question: QuestionForm, rest: string): string {
  if (rest.startsWith(".criteria"))
    return criteriaForm(question.type).fieldOf(question, rest.slice(".criteria.".length))
  if (rest === ".type") return "type"
  if (rest === ".instructions") return "instructions.text"
  const isOnly = form.questions.filter(({ name }) => name === question.name).length === 1
  return isOnly && isQuestionName(question.name) ? "instructions.text" : "name"
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
    const index = form.questions.findIndex(({ name }) => isUnnamed(name, CEILINGS.questionName))
    return index < 0 ? "questions.root" : `questions.${index}.name`
  }
  const owns = ({ name }: QuestionForm) => path === name || path.startsWith(`${name}.`)
  const longest = Math.max(-1, ...form.questions.filter(owns).map(({ name }) => name.length))
  const index = form.questions.findLastIndex((question) => owns(question) && question.name.length === longest)
  const question = form.questions[index]
  if (!question) return "questions.root"
  return `questions.${index}.${questionField(form, question, path.slice(question.name.length))}`
}
