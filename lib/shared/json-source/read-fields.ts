import { membersOf, type Part, sourceOf } from "./json-parts"
import { asText, readTextOrJson, type TextOrJson } from "./text-or-json"

/** Thrown for a part of a valid JSON text that the form cannot show. */
export class Unreadable extends Error {}

/**
 * Returns an object's members by name, and their names as written when their order or spelling differs from `known`. Throws
 * `Unreadable` for a value that is no object, and for unknown or repeated names.
 */
export function fieldsOf<Name extends string>(text: string, part: Part, known: readonly Name[]) {
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

/** Reads a value into a field. `blank` is the JSON source that the empty field writes, null for none. */
export const fieldValue = (text: string, part: Part | undefined, blank: string | null): TextOrJson =>
  part ? readTextOrJson(sourceOf(text, part), blank) : asText("")
