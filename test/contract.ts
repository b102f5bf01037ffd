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

const read = (file: string): Document => JSON.parse(readFileSync(`public/${file}`, "utf8"))

/** The contract: the description of `/v1`. */
export const openApi = read("openapi.json")
/** The description of what programs read of an account. */
export const accountApi = read("api/openapi.json")

const ajv = new Ajv2020({ allErrors: true })
ajv.addFormat("date-time", (text) => text.endsWith("Z") && !Number.isNaN(Date.parse(text)))
ajv.addFormat("uri", (text) => URL.canParse(text))
ajv.addFormat("date", (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)))
ajv.addVocabulary([...Object.keys(accountApi), "discriminator"])
ajv.addSchema(openApi, "openapi.json")
ajv.addSchema(accountApi, "api/openapi.json")

export function componentSchema(name: string): ValidateFunction {
  const validate = ajv.getSchema(`openapi.json#/components/schemas/${name}`)
  if (!validate) throw new Error(`the document has no schema ${name}`)
  return validate
}

const compiled = new Map<object, ValidateFunction>()

export function faultsOf(schema: object, value: unknown, document = openApi): unknown[] {
  const name = document === openApi ? "openapi.json" : "api/openapi.json"
  const json = JSON.stringify(schema).replaceAll('"#/components', `"${name}#/components`)
  const validate = compiled.get(schema) ?? ajv.compile(JSON.parse(json))
  compiled.set(schema, validate)
  return validate(value) ? [] : (validate.errors ?? [])
}

const responsesOf = (document: Document) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) =>
      Object.entries(responses).map(([status, described]) => ({ document, path, method, status, described })),
    ),
  )

export const describedResponses = [...responsesOf(openApi), ...responsesOf(accountApi)]

/**
 * Expects a response that the document describes for its path: status, body and required headers. Rate-limit headers that are not
 * described fail. Returns the parsed body.
 */
export async function expectDescribed(response: Response, path: string, method = "post"): Promise<unknown> {
  const document = path in openApi.paths ? openApi : accountApi
  const responses = document.paths[path]?.[method]?.responses ?? {}
  const described = responses[String(response.status)] ?? responses.default
  if (!described) throw new Error(`${path} is not described`)
  const text = await response.clone().text()
  const body: unknown = JSON.parse(text)
  expect(response.headers.get("content-type")).toBe("application/json")
  expect({
    status: response.status,
    text,
    faults: faultsOf(described.content["application/json"].schema, body, document),
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
