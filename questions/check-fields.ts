import type { FieldPath } from "@/lib/shared/json/field-path"
import type { JsonNode } from "@/lib/shared/json/request-index"
import type { JsonText } from "@/lib/shared/json/text"
import { QUESTION_NAME } from "./limits"

/**
 * Why a request is invalid: the path of the field and a fixed message. Names are the only client data that it contains.
 */
export interface Refusal {
  path: FieldPath
  message: string
  /** The page of the docs that explains more. */
  docsPage?: "sdks"
}

/** Ends a check at the first invalid field. `checkRequest` catches it. */
export class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message)
  }
}

export function refuse(path: FieldPath, message: string, docsPage?: Refusal["docsPage"]): never {
  throw new Refused(docsPage ? { path, message, docsPage } : { path, message })
}

export const criteriaPath = (question: string): FieldPath => ["questions", question, "criteria"]

/**
 * Longest unknown field name, in code points, that an error repeats. For a longer name, the error gives the parent's
 * path.
 */
const MAX_UNKNOWN_NAME = 64

/**
 * Returns an object's members by name. Refuses the first name that is not in `known`. `path` is empty for the body itself.
 */
export function membersOf<Name extends string>(
  node: JsonNode,
  known: readonly Name[],
  path: FieldPath,
): Partial<Record<Name, JsonNode>> {
  const members: Partial<Record<Name, JsonNode>> = {}
  for (const child of node.children()) {
    const name = child.name(MAX_UNKNOWN_NAME)
    const match = known.find((candidate) => candidate === name)
    if (match === undefined)
      refuse(name ? [...path, name] : path, `Only these fields are allowed here: ${known.join(", ")}.`)
    members[match] = child
  }
  return members
}

/** Returns instructions or a description as text, or null for JSON null. */
export function descriptionOf(node: JsonNode, path: FieldPath): JsonText | null {
  const text = node.text()
  if (!text && node.kind !== "null") refuse(path, "This must be a string, an object, an array or null.")
  return text
}

const NAME = new RegExp(QUESTION_NAME)

/** Returns whether a question may have this name. */
export const isQuestionName = (name: string): boolean => NAME.test(name)

/** Returns whether a `param` cannot contain this name: it names the containing object instead. */
export const isUnnamed = (name: string, max: number): boolean => name === "" || [...name].length > max
