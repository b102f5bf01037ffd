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
  docsPage?: "openai"
}

/** Ends a check at an invalid field, or after a list of checks that found some. `checkRequest` catches it. */
export class Refused extends Error {
  constructor(readonly refusals: readonly [Refusal, ...Refusal[]]) {
    super(refusals[0].message)
  }

  /** The first one, which the API reports. */
  get refusal(): Refusal {
    return this.refusals[0]
  }
}

export function refuse(path: FieldPath, message: string, docsPage?: Refusal["docsPage"]): never {
  throw new Refused([docsPage ? { path, message, docsPage } : { path, message }])
}

/** The most refusals that a list of checks looks for: one body may have thousands of invalid fields. */
export const MAX_REFUSALS = 20

/** Checks each item. Throws one `Refused` with the refusals of all items, in their order, up to `MAX_REFUSALS`. */
export function checkEach<Item, Result>(
  items: readonly Item[],
  check: (item: Item, index: number) => Result,
): Result[] {
  const results: Result[] = []
  const found: Refusal[] = []
  for (let i = 0; i < items.length && found.length < MAX_REFUSALS; i++) {
    try {
      results.push(check(items[i] as Item, i))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      found.push(...error.refusals)
    }
  }
  const [first, ...others] = found
  if (first) throw new Refused([first, ...others.slice(0, MAX_REFUSALS - 1)])
  return results
}

/** Makes checks that do not depend on each other. Throws one `Refused` with the refusals of all, in their order. */
export const checkAll = <Results extends unknown[]>(...checks: { [At in keyof Results]: () => Results[At] }): Results =>
  checkEach(checks as (() => unknown)[], (check) => check()) as Results

export const criteriaPath = (question: string): FieldPath => ["questions", question, "criteria"]

/**
 * Longest unknown field name, in code points, that an error repeats. For a longer name, the error gives the parent's
 * path.
 */
const MAX_UNKNOWN_NAME = 64

/** Returns the members of an object that have one of these names, by name. */
export function membersOf<Name extends string>(
  node: JsonNode,
  known: readonly Name[],
): Partial<Record<Name, JsonNode>> {
  const members: Partial<Record<Name, JsonNode>> = {}
  for (const child of node.children()) {
    const name = child.name(MAX_UNKNOWN_NAME)
    const match = known.find((candidate) => candidate === name)
    if (match !== undefined) members[match] = child
  }
  return members
}

/** Refuses names of members that are not in `known`. `path` is empty for the body itself. */
export function checkNames(node: JsonNode, known: readonly string[], path: FieldPath): void {
  checkEach(node.children(), (child) => {
    const name = child.name(MAX_UNKNOWN_NAME)
    if (name === null || !known.includes(name))
      refuse(name ? [...path, name] : path, `Only these fields are allowed here: ${known.join(", ")}.`)
  })
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
