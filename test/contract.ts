import { readFileSync } from "node:fs"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import { expect } from "vitest"

interface Header {
  required?: boolean
  schema: { type: string }
}

interface Described {
  headers: Record<string, Header>
  content: { "application/json": { schema: object; example?: unknown; examples?: Record<string, { value: unknown }> } }
}

interface Operation {
  operationId: string
  summary: string
  description: string
  responses: Record<string, Described>
  requestBody?: Described
}

export interface Document {
  openapi: string
  info: { version: string; description: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object> }
}

export const openApi: Document = JSON.parse(readFileSync("public/openapi.json", "utf8"))

const ajv = new Ajv2020({ allErrors: true })
ajv.addFormat("date-time", (text) => text.endsWith("Z") && !Number.isNaN(Date.parse(text)))
ajv.addFormat("uri", (text) => URL.canParse(text))
ajv.addVocabulary([...Object.keys(openApi), "discriminator"])
ajv.addSchema(openApi, "openapi.json")

export function componentSchema(name: string): ValidateFunction {
  const validate = ajv.getSchema(`openapi.json#/components/schemas/${name}`)
  if (!validate) throw new Error(`the document has no schema ${name}`)
  return validate
}

const compiled = new Map<object, ValidateFunction>()

export function faultsOf(schema: object, value: unknown): unknown[] {
  const json = JSON.stringify(schema).replaceAll('"#/components', '"openapi.json#/components')
  const validate = compiled.get(schema) ?? ajv.compile(JSON.parse(json))
  compiled.set(schema, validate)
  return validate(value) ? [] : (validate.errors ?? [])
}

export const describedResponses = Object.entries(openApi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { responses }]) =>
    Object.entries(responses).map(([status, described]) => ({ path, method, status, described })),
  ),
)

/**
 * Expects a response that the document describes for its path: status, body and required headers. Rate-limit headers that are not
 * described fail. Returns the parsed body.
 */
export async function expectDescribed(response: Response, path: string, method = "post"): Promise<unknown> {
  const responses = openApi.paths[path]?.[method]?.responses ?? {}
  const described = responses[String(response.status)] ?? responses.default
  if (!described) throw new Error(`${path} is not described`)
  const text = await response.clone().text()
  const body: unknown = JSON.parse(text)
  expect(response.headers.get("content-type")).toBe("application/json")
  expect({
    status: response.status,
    text,
    faults: faultsOf(described.content["application/json"].schema, body),
  }).toEqual({
    status: response.status,
    text,
    faults: [],
  })
  for (const [name, header] of Object.entries(described.headers)) {
    const value = response.headers.get(name)
    if (value === null) expect([name, header.required ?? false]).toEqual([name, false])
    else
      expect([name, faultsOf(header.schema, header.schema.type === "integer" ? Number(value) : value)]).toEqual([
        name,
        [],
      ])
  }
  const known = Object.keys(described.headers).map((name) => name.toLowerCase())
  const limits = [...response.headers.keys()].filter(
    (name) => name.startsWith("x-ratelimit-") || name === "retry-after",
  )
  expect(limits.filter((name) => !known.includes(name))).toEqual([])
  return body
}
