import { criteriaForm } from "@/questions/question-types"
import type { QuestionForm, RequestForm } from "./request-form"
import { writeName, writeTextOrJson } from "./text-or-json"
import { type Member, ordered, writeObject } from "./write-object"

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
 * Writes the form as the text of a decision request, with names and order as typed or read. JSON fields are inserted
 * unchanged, so each must be one valid value.
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
