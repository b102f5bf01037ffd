import { membersOf, rootOf } from "@/lib/shared/json-source/json-parts"
import { writeName, writeTextOrJson } from "@/lib/shared/json-source/text-or-json"
import { type Member, ordered, writeObject } from "@/lib/shared/json-source/write-object"
import type { QuestionForm } from "@/questions/question-form"
import { criteriaForm } from "@/questions/question-types"
import type { RequestForm } from "./request-form"

function writeQuestion(form: QuestionForm): string {
  const isNamed = form.members?.some((source) => JSON.parse(source) === "criteria") ?? false
  const members: Member[] = [
    ['"type"', writeName(form.type, form.typeSpelled)],
    ['"instructions"', writeTextOrJson(form.instructions, null, "      ")],
    ['"criteria"', criteriaForm(form.type).write(form, isNamed)],
  ]
  return writeObject(ordered(members, form.members), "    ")
}

/**
 * Writes the form as the text of a decision request, with names and order as typed or read. JSON fields change only in white
 * space, so each must be one valid value.
 */
export function writeRequest(form: RequestForm): string {
  const questions = form.questions.map(
    (question): Member => [writeName(question.name, question.spelled), writeQuestion(question)],
  )
  const members: Member[] = [
    ['"model"', writeName(form.model, form.modelSpelled)],
    ['"state"', writeTextOrJson(form.state, '""', "  ")],
    ['"questions"', writeObject(questions, "  ")],
  ]
  return writeObject(ordered(members, form.members), "")
}

/** Returns a request's text with another model and nothing else changed. A request without a model stays as it is. */
export function replaceModel(text: string, model: string): string {
  const member = membersOf(text, rootOf(text))?.find(({ name }) => name === "model")
  if (!member) return text
  const { start, end } = member.value
  const source = text.slice(start, end)
  if (source.startsWith('"') && JSON.parse(source) === model) return text
  return text.slice(0, start) + JSON.stringify(model) + text.slice(end)
}
