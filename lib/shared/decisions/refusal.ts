import type { JsonNode } from "@/lib/shared/json/request-index"

/** Why a request is refused: the path of the field and a fixed text, never anything that was sent but names. */
export interface Refusal {
  param: string
  message: string
}

/** Stops a check at its first refusal; never leaves it. */
export class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message)
  }
}

/** Ends the check with this refusal. */
export function refuse(param: string, message: string): never {
  throw new Refused({ param, message })
}

/** The path of a question's criteria. */
export const criteriaOf = (question: string): string => `questions.${question}.criteria`

/** Longest unknown field, in code points, that an error names; a longer one gives its parent's path. */
const LONGEST_UNKNOWN = 64

/** An object's members by name. Refuses the first name in document order that is not among `known`; `path` is "" at the top. */
export function membersOf<Name extends string>(
  node: JsonNode,
  known: readonly Name[],
  path: string,
): Partial<Record<Name, JsonNode>> {
  const members: Partial<Record<Name, JsonNode>> = {}
  for (const child of node.children()) {
    const name = child.name(LONGEST_UNKNOWN)
    const match = known.find((candidate) => candidate === name)
    if (match === undefined) refuse(inside(path, name), `Only these fields are allowed here: ${known.join(", ")}.`)
    members[match] = child
  }
  return members
}

const inside = (path: string, name: string | null): string =>
  name ? (path ? `${path}.${name}` : name) : path || "body"
