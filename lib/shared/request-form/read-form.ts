import { checkRequest, scanRefusal } from "@/lib/shared/decisions/check-request"
import { scan } from "@/lib/shared/json/scan"
import { TYPE_NAMES } from "@/questions/question-types"
import { itemsOf, type Member, membersOf, type Part, rootOf, sourceOf } from "./json-parts"
import { asText, type QuestionForm, type RequestForm, type TextOrJson } from "./request-form"
import { readTextOrJson, spelling } from "./text-or-json"

export type ReadForm = { ok: true; form: RequestForm } | { ok: false; param: string; message: string }

const TOP = ["model", "state", "questions"] as const
const FIELDS = ["type", "instructions", "criteria"] as const
const MEANINGS = ["true", "false"] as const

class Unreadable extends Error {}

/** Returns an object's members by name, and their order when it differs from `known`. Throws for unknown or repeated names. */
function fieldsOf<Name extends string>(text: string, part: Part, known: readonly Name[]) {
  const members = membersOf(text, part)
  if (!members) throw new Unreadable()
  const fields: Partial<Record<Name, Part>> = {}
  for (const { name, value } of members) {
    const match = known.find((candidate) => candidate === name)
    if (match === undefined || fields[match]) throw new Unreadable()
    fields[match] = value
  }
  const sources = members.map(({ nameSource }) => nameSource)
  const usual = known.filter((name) => fields[name]).map((name) => JSON.stringify(name))
  return { fields, members: usual.join() === sources.join() ? undefined : sources }
}

const fieldValue = (text: string, part: Part | undefined, blank: string | null): TextOrJson =>
  part ? readTextOrJson(sourceOf(text, part), blank) : asText("")

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

function optionsOf(text: string, part: Part): QuestionForm["options"] {
  const members = membersOf(text, part)
  if (!members) throw new Unreadable()
  return members.map(({ name, nameSource, value }) => ({
    name,
    description: fieldValue(text, value, "null"),
    spelled: spelling(name, nameSource),
  }))
}

function levelsOf(text: string, part: Part): QuestionForm["levels"] {
  const items = itemsOf(text, part)
  if (!items) throw new Unreadable()
  return items.map((item) => ({ label: fieldValue(text, item, '""') }))
}

function questionOf(text: string, { name, nameSource, value }: Member): QuestionForm {
  const { fields, members } = fieldsOf(text, value, FIELDS)
  const { type, typeSpelled } = typeOf(text, fields.type)
  const question: QuestionForm = {
    type,
    name,
    instructions: fieldValue(text, fields.instructions, null),
    yes: asText(""),
    no: asText(""),
    options: [],
    levels: [],
    spelled: spelling(name, nameSource),
    typeSpelled,
    members,
  }
  const { criteria } = fields
  if (!criteria) return question
  if (type === "choice") return { ...question, options: optionsOf(text, criteria) }
  if (type === "score") return { ...question, levels: levelsOf(text, criteria) }
  const noul = fieldsOf(text, criteria, MEANINGS)
  const { true: yes, false: no } = noul.fields
  return {
    ...question,
    yes: fieldValue(text, yes, null),
    no: fieldValue(text, no, null),
    meanings: noul.members,
    // Empty criteria are written again, although the form shows nothing for them.
    members:
      yes || no
        ? members
        : (members ?? ["type", "instructions", "criteria"].filter((n) => n in fields).map((n) => `"${n}"`)),
  }
}

function formOf(text: string, keyId: string): RequestForm {
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
 * Reads a request's text into the form. `writeRequest` writes the same text again, except for white space. Returns the API's
 * error when the text is not valid JSON or has members that the form cannot show.
 */
export function readForm(text: string, keyId: string): ReadForm {
  const body = new TextEncoder().encode(text)
  const scanned = scan(body)
  if (!scanned.ok && scanned.fault !== "duplicate") {
    const refused = scanRefusal(scanned.fault, scanned.param)
    return refused.ok ? { ok: false, param: "body", message: "" } : refused
  }
  try {
    return { ok: true, form: formOf(text, keyId) }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    const checked = checkRequest(body)
    return checked.ok ? { ok: false, param: "body", message: "The form cannot show a part of this request." } : checked
  }
}
