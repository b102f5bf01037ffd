import { openApiDocument } from "@/lib/server/api/openapi/document"

/** The parts of a JSON schema that the reference shows. */
interface Schema {
  $ref?: string
  type?: string | string[]
  const?: string
  enum?: string[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  minimum?: number
  maximum?: number
  description?: string
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  required?: string[]
}

type Schemas = Record<string, Schema>

const PREFIX = "#/components/schemas/"
const NOUNS: Record<string, string> = { string: "text", null: "null" }

const resolve = (schema: Schema, schemas: Schemas): Schema =>
  schema.$ref ? { ...schemas[schema.$ref.slice(PREFIX.length)], ...schema } : schema

const listOf = (words: string[]): string => [...new Set(words)].join(", ").replace(/, ([^,]+)$/, " or $1")

function nounOf(type: string, { minimum, maximum }: Schema): string {
  const noun = NOUNS[type] ?? type
  return type === "number" && minimum !== undefined && maximum !== undefined
    ? `${noun}, ${minimum} to ${maximum}`
    : noun
}

/** Returns the type for a reader: "text, object or array", "`noul`", "number, 0 to 1". */
function typeOf(schema: Schema, schemas: Schemas): string {
  const whole = resolve(schema, schemas)
  if (whole.const !== undefined) return `\`${whole.const}\``
  if (whole.enum) return listOf(whole.enum.map((value) => `\`${value}\``))
  const choices = whole.anyOf ?? whole.oneOf
  if (choices && !whole.type) return listOf(choices.map((choice) => typeOf(choice, schemas)))
  if (Array.isArray(whole.type)) return listOf(whole.type.map((type) => nounOf(type, whole)))
  return nounOf(whole.type ?? "object", whole)
}

function fieldRows({ properties = {}, required = [] }: Schema, schemas: Schemas): string {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const need = required.includes(name) ? "" : ", optional"
      const { description, const: only } = resolve(schema, schemas)
      const text = description ?? (only === undefined ? "See below." : "Always this text.")
      return `| \`${name}\` | ${typeOf(schema, schemas)}${need} | ${text} |`
    })
    .join("\n")
}

interface Operation {
  responses: Record<string, { description: string }>
}

function responseRows({ responses }: Operation): string {
  return Object.entries(responses)
    .filter(([status]) => status !== "default")
    .map(([status, { description }]) => `| ${status} | ${description} |`)
    .join("\n")
}

/** Returns the values of the API reference: the fields of every schema as `fields_<name>`, and the responses of each endpoint. */
export function apiValues(): Record<string, string> {
  const { components, paths } = openApiDocument()
  const schemas = components.schemas as Schemas
  const fields = Object.entries(schemas).map(([name, schema]) => [`fields_${name}`, fieldRows(schema, schemas)])
  const create: Operation = paths["/v1/decisions"].post
  const outcomes: Operation = paths["/v1/outcomes"].post
  const list: Operation = paths["/v1/models"].get
  const read: Operation = paths["/v1/models/{id}"].get
  return {
    ...Object.fromEntries(fields),
    create_responses: responseRows(create),
    outcome_responses: responseRows(outcomes),
    list_responses: responseRows(list),
    read_responses: responseRows(read),
  }
}
