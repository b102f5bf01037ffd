import { fieldsOf, fieldValue } from "@/lib/shared/json-source/read-fields"
import { asText, isTextOrJson, type TextOrJson, writeTextOrJson } from "@/lib/shared/json-source/text-or-json"
import { type Member, ordered, writeObject } from "@/lib/shared/json-source/write-object"
import type { CriteriaForm } from "../criteria-form"

export interface NoulFields {
  yes: TextOrJson
  no: TextOrJson
  /** Names in the criteria that were read, as JSON source, in their order. Undefined for the usual order. */
  meanings?: string[] | undefined
}

const INDENT = "      "
const NAMES = ["true", "false"] as const

const blank = (): NoulFields => ({ yes: asText(""), no: asText("") })

export const noulForm: CriteriaForm<NoulFields> = {
  initial: blank,
  absent: blank(),
  isStored: ({ yes, no, meanings }) =>
    isTextOrJson(yes) &&
    isTextOrJson(no) &&
    (meanings === undefined || (Array.isArray(meanings) && meanings.every((name) => typeof name === "string"))),

  read(text, criteria) {
    const { fields, members } = fieldsOf(text, criteria, NAMES)
    const { true: yes, false: no } = fields
    return { yes: fieldValue(text, yes, null), no: fieldValue(text, no, null), meanings: members }
  },

  write({ yes, no, meanings }, isNamed) {
    const written: Member[] = [
      ['"true"', writeTextOrJson(yes, null, `${INDENT}  `)],
      ['"false"', writeTextOrJson(no, null, `${INDENT}  `)],
    ]
    const isKept = isNamed || written.some(([, json]) => json !== null)
    return isKept ? writeObject(ordered(written, meanings), INDENT) : null
  },

  values: ({ yes, no }) => [
    ["yes.text", yes],
    ["no.text", no],
  ],
  nothingToAsk: "Write instructions, or describe what yes or no means.",
  fieldOf: (_fields, member) => (member === "false" ? "no.text" : "yes.text"),
}
