import { membersOf } from "@/lib/shared/json-source/json-parts"
import { fieldValue, Unreadable } from "@/lib/shared/json-source/read-fields"
import {
  asText,
  isTextOrJson,
  spelling,
  type TextOrJson,
  writeName,
  writeTextOrJson,
} from "@/lib/shared/json-source/text-or-json"
import { type Member, writeObject } from "@/lib/shared/json-source/write-object"
import { isUnnamed } from "../check-fields"
import type { CriteriaForm } from "../criteria-form"
import { isMembers } from "../engine-wire"
import { CEILINGS } from "../limits"

export interface OptionForm {
  name: string
  description: TextOrJson
  /** Source of the name. */
  spelled?: string | undefined
}

export interface ChoiceFields {
  options: OptionForm[]
}

export const emptyOption = (): OptionForm => ({ name: "", description: asText("") })

const isOption = (value: unknown): boolean =>
  isMembers(value) &&
  typeof value.name === "string" &&
  isTextOrJson(value.description) &&
  (value.spelled === undefined || typeof value.spelled === "string")

export const choiceForm: CriteriaForm<ChoiceFields> = {
  initial: () => ({ options: [emptyOption(), emptyOption()] }),
  absent: { options: [] },
  isStored: ({ options }) => Array.isArray(options) && options.every(isOption),

  read(text, criteria) {
    const members = membersOf(text, criteria)
    if (!members) throw new Unreadable()
    const options = members.map(({ name, nameSource, value }) => ({
      name,
      description: fieldValue(text, value, "null"),
      spelled: spelling(name, nameSource),
    }))
    return { options }
  },

  write({ options }) {
    const members = options.map(
      ({ name, description, spelled }): Member => [
        writeName(name, spelled),
        writeTextOrJson(description, "null", "        "),
      ],
    )
    return writeObject(members, "      ")
  },

  values: ({ options }) => options.map(({ description }, at) => [`options.${at}.description.text`, description]),

  fieldOf({ options }, option) {
    // A unique name of valid length is not the error, so the description must be.
    const isDescription = option !== "" && options.filter(({ name }) => name === option).length === 1
    const index =
      option === ""
        ? options.findIndex(({ name }) => isUnnamed(name, CEILINGS.optionName))
        : options.findLastIndex(({ name }) => name === option)
    return index < 0 ? "options.root" : `options.${index}.${isDescription ? "description.text" : "name"}`
  },

  list: { noun: "option", count: ({ options }) => options.length, max: ({ maxOptions }) => maxOptions },

  named: {
    parts: ({ options }) => options,
    only: ({ options }, index) => ({ options: options.slice(index, index + 1) }),
  },
}
