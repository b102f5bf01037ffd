import { itemsOf } from "@/lib/shared/json-source/json-parts"
import { fieldValue, Unreadable } from "@/lib/shared/json-source/read-fields"
import { asText, isTextOrJson, type TextOrJson, writeTextOrJson } from "@/lib/shared/json-source/text-or-json"
import type { CriteriaForm } from "../criteria-form"
import { isMembers } from "../engine-wire"

export interface LevelForm {
  label: TextOrJson
}

export interface ScoreFields {
  levels: LevelForm[]
}

/** Levels that fit in this many characters share a line. */
const MAX_LINE = 100

export const emptyLevel = (): LevelForm => ({ label: asText("") })

export const scoreForm: CriteriaForm<ScoreFields> = {
  initial: () => ({ levels: [emptyLevel(), emptyLevel(), emptyLevel()] }),
  absent: { levels: [] },
  isStored: ({ levels }) =>
    Array.isArray(levels) && levels.every((level) => isMembers(level) && isTextOrJson(level.label)),

  read(text, criteria) {
    const items = itemsOf(text, criteria)
    if (!items) throw new Unreadable()
    return { levels: items.map((item) => ({ label: fieldValue(text, item, '""') })) }
  },

  write({ levels }) {
    const items = levels.map(({ label }) => writeTextOrJson(label, '""', "        ") ?? '""')
    const line = items.join(", ")
    return line.length <= MAX_LINE && !line.includes("\n")
      ? `[${line}]`
      : `[\n        ${items.join(",\n        ")}\n      ]`
  },

  values: ({ levels }) => levels.map(({ label }, at) => [`levels.${at}.label.text`, label]),
  list: { noun: "level", count: ({ levels }) => levels.length, max: ({ maxLevels }) => maxLevels },
  fieldOf: ({ levels }, member) => (levels[Number(member || -1)] ? `levels.${member}.label.text` : "levels.root"),
}
