import { checkRequest, scanRefusal } from "@/lib/shared/decisions/check-request"
import { scan } from "@/lib/shared/json/scan"
import { type Member, membersOf, type Part, rootOf, sourceOf } from "@/lib/shared/json-source/json-parts"
import { fieldsOf, fieldValue, Unreadable } from "@/lib/shared/json-source/read-fields"
import { spelling } from "@/lib/shared/json-source/text-or-json"
import type { QuestionForm } from "@/questions/question-form"
import { criteriaForm, fieldsOfTypes, TYPE_NAMES } from "@/questions/question-types"
import type { RequestForm } from "./request-form"

export type ReadForm = { ok: true; form: RequestForm } | { ok: false; param: string; message: string }

const TOP = ["model", "state", "questions"] as const
const FIELDS = ["type", "instructions", "criteria"] as const
const namesOf = (fields: object): string[] =>
  FIELDS.filter((name) => name in fields).map((name) => JSON.stringify(name))

function stringOf(text: string, part: Part): { value: string; spelled: string | undefined } {
  const source = sourceOf(text, part)
  if (!source.startsWith('"')) throw new Unreadable()
  const value = JSON.parse(source) as string
  return { value, spelled: spelling(value, source) }
}

function typeOf(text: string, part: Part | undefined) {
  if (!part) throw new Unreadable()
  const { value, spelled } = stringOf(text, part)
  const type = TYPE_NAMES.find((candidate) => candidate === value)
  if (!type) throw new Unreadable()
  return { type, typeSpelled: spelled }
}

/** Empty criteria are written again, although the form shows nothing for them. So the form has to remember them. */
const isEmptyObject = (text: string, part: Part | undefined): boolean =>
  part !== undefined && membersOf(text, part)?.length === 0

function questionOf(text: string, { name, nameSource, value }: Member): QuestionForm {
  const { fields, members } = fieldsOf(text, value, FIELDS)
  const { type, typeSpelled } = typeOf(text, fields.type)
  return {
    type,
    name,
    instructions: fieldValue(text, fields.instructions, null),
    ...fieldsOfTypes((form) => form.absent),
    ...(fields.criteria && criteriaForm(type).read(text, fields.criteria)),
    spelled: spelling(name, nameSource),
    typeSpelled,
    members: members ?? (isEmptyObject(text, fields.criteria) ? namesOf(fields) : undefined),
  }
}

function readRequest(text: string, keyId: string): RequestForm {
  const { fields, members } = fieldsOf(text, rootOf(text), TOP)
  const model = fields.model ? stringOf(text, fields.model) : { value: "", spelled: undefined }
  const questions = fields.questions ? membersOf(text, fields.questions) : []
  if (!questions) throw new Unreadable()
  return {
    model: model.value,
    modelSpelled: model.spelled,
    keyId,
    state: fieldValue(text, fields.state, '""'),
    questions: questions.map((member) => questionOf(text, member)),
    members,
  }
}

/**
 * Reads a request's text into the form. `writeRequest` writes an equal request, except for white space and for missing members,
 * which it writes empty. Returns an error when the text is not valid JSON or the form cannot show it: the API's, or a fixed one
 * when the API accepts the text.
 */
export function readForm(text: string, keyId: string): ReadForm {
  const body = new TextEncoder().encode(text)
  const scanned = scan(body)
  if (!scanned.ok && scanned.fault !== "duplicate") {
    const refused = scanRefusal(scanned.fault, scanned.path)
    return refused.ok ? { ok: false, param: "body", message: "" } : refused
  }
  try {
    return { ok: true, form: readRequest(text, keyId) }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    const checked = checkRequest(body)
    return checked.ok ? { ok: false, param: "body", message: "The form cannot show a part of this request." } : checked
  }
}
