import { invalid } from "./errors"

/** A form body, nested by its brackets. Lists are keyed by index. */
export interface Form {
  [name: string]: string | Form
}

export type Shape =
  | { kind: "text"; max?: number }
  | { kind: "integer" }
  | { kind: "boolean" }
  | { kind: "url" }
  | { kind: "oneOf"; values: string[] }
  | { kind: "metadata" }
  | { kind: "list"; of: Shape; max?: number }
  | { kind: "object"; fields: Record<string, Shape>; needs: string[] }

const MAX_METADATA = 50
const MAX_METADATA_NAME_LENGTH = 40
const MAX_METADATA_VALUE_LENGTH = 500

const empty = (): Form => Object.create(null)

/** Parses `a[b][0]=c`, as the SDK sends it, and `a[]=c` into nested objects. */
export function parseForm(text: string): Form {
  const form = empty()
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll("]", "").split("[")
    const last = path.pop() ?? ""
    let node = form
    for (const step of path) {
      const known = node[step]
      const next = typeof known === "object" ? known : empty()
      node[step] = next
      node = next
    }
    node[last === "" && path.length > 0 ? String(Object.keys(node).length) : last] = value
  }
  return form
}

const inside = (param: string, name: string): string => (param === "" ? name : `${param}[${name}]`)

function text(value: string, param: string, max = 5000): string {
  if (value.length > max)
    throw invalid(`Invalid string: must be at most ${max} characters`, { code: "parameter_invalid_string", param })
  return value
}

function integer(value: string, param: string): number {
  if (!/^-?\d{1,15}$/.test(value))
    throw invalid(`Invalid integer: ${value}`, { code: "parameter_invalid_integer", param })
  return Number(value)
}

function leaf(shape: Shape, value: string, param: string): unknown {
  if (value === "")
    throw invalid(`You passed an empty string for '${param}'.`, { code: "parameter_invalid_empty", param })
  if (shape.kind === "text") return text(value, param, shape.max)
  if (shape.kind === "integer") return integer(value, param)
  if (shape.kind === "boolean") {
    if (value !== "true" && value !== "false") throw invalid(`Invalid boolean: ${value}`, { param })
    return value === "true"
  }
  if (shape.kind === "url") {
    if (!URL.canParse(value)) throw invalid("Not a valid URL", { code: "url_invalid", param })
    return value
  }
  if (shape.kind === "oneOf") {
    const isKnown = shape.values.includes(value)
    if (!isKnown) throw invalid(`Invalid ${param}: must be one of ${shape.values.join(", ")}`, { param })
    return value
  }
  throw invalid(`Invalid ${shape.kind === "list" ? "array" : "object"}`, { param })
}

function metadata(form: Form, param: string): Record<string, string> {
  const entries = Object.entries(form).map(([name, value]): [string, string] => {
    if (typeof value !== "string") throw invalid("Metadata values must be strings", { param: inside(param, name) })
    if (name.length > MAX_METADATA_NAME_LENGTH || value.length > MAX_METADATA_VALUE_LENGTH)
      throw invalid("Metadata names have at most 40 characters, values 500", { param: inside(param, name) })
    return [name, value]
  })
  if (entries.length > MAX_METADATA) throw invalid("Metadata can have up to 50 keys", { param })
  return Object.fromEntries(entries)
}

function fields(shape: Extract<Shape, { kind: "object" }>, form: Form, param: string): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(form)) {
    const known = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined
    const at = inside(param, name)
    if (!known) throw invalid(`Received unknown parameter: ${at}`, { code: "parameter_unknown", param: at })
    result[name] = check(known, value, at)
  }
  for (const name of shape.needs) {
    const at = inside(param, name)
    if (!(name in result)) throw invalid(`Missing required param: ${at}.`, { code: "parameter_missing", param: at })
  }
  return result
}

/**
 * Returns the value in the types of its shape, which has only some of the fields in Stripe's API reference. Throws Stripe's 400 for
 * missing or invalid parameters, and for those that the shape lacks.
 */
export function check(shape: Shape, value: string | Form, param = ""): unknown {
  if (typeof value === "string") return leaf(shape, value, param)
  if (shape.kind === "object") return fields(shape, value, param)
  if (shape.kind === "metadata") return metadata(value, param)
  if (shape.kind !== "list") throw invalid("Invalid string: an object was given", { param })
  const items = Object.entries(value)
  if (shape.max && items.length > shape.max) throw invalid(`Array has more than ${shape.max} items`, { param })
  return items.map(([index, item]) => check(shape.of, item, inside(param, index)))
}
