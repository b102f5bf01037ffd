import { z } from "zod"
import type { Actor } from "@/lib/server/platform/actor"
import { type ErrorCode, errorTable } from "@/lib/shared/errors"
import type { ManagementApi } from "./answer"
import type { Operation } from "./operation"

const CODES = [
  "invalid_request",
  "invalid_model",
  "invalid_api_key",
  "forbidden",
  "not_found",
  "method_not_allowed",
  "model_retired",
  "precondition_failed",
  "request_too_large",
  "rate_limited",
  "internal_error",
  "upstream_error",
] as const satisfies readonly ErrorCode[]

const ErrorBody = z
  .object({
    error: z.object({
      message: z.string().meta({ description: "For people; it may change, and repeats nothing that was sent." }),
      type: z.string(),
      code: z.enum(CODES).meta({ description: "Names the condition and does not change." }),
      param: z.string().optional().meta({ description: "The path of the field at fault." }),
    }),
  })
  .meta({ description: "An error, with a code of the service's one table of errors." })

export type Json = Record<string, unknown>

/** Returns the JSON Schema of a value, without the name of the dialect, which the document states once. */
function schemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    target: "draft-2020-12",
    io,
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      if (jsonSchema.format === "date-time" || jsonSchema.format === "date") delete jsonSchema.pattern
    },
  })
  return json
}

const REQUEST_ID = {
  "x-request-id": {
    description: "The service's id of this request.",
    required: true,
    schema: { type: "string", pattern: "^req_[0-9a-z]{26}$" },
  },
}
const ETAG = { ETag: { description: "The version that `If-Match` takes.", schema: { type: "string" } } }
const RETRY = { "Retry-After": { description: "Seconds to wait.", schema: { type: "integer", minimum: 1 } } }
const DRY = { "Dry-Run": { description: "`1` on the response to a dry run.", schema: { type: "string" } } }

const header = (name: string, description: string) => ({ name, in: "header", description, schema: { type: "string" } })

/** Returns the parameters of an operation: those of its path, its query and its headers. */
function parametersOf({ path, Query, method, hasDryRun, takesKey, version }: Operation<never>): Json[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    description: `The id of the ${name?.replaceAll("_", " ")}.`,
    schema: { type: "string" },
  }))
  const { properties = {} } = schemaOf(Query, "input") as { properties?: Record<string, Json> }
  const inQuery = Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    ...(description === undefined ? {} : { description }),
    schema,
  }))
  return [
    ...inPath,
    ...inQuery,
    ...(hasDryRun
      ? [
          {
            name: "dry_run",
            in: "query",
            description: "`1` checks the change and returns its outcome, and changes nothing.",
            schema: { type: "string", enum: ["0", "1"], default: "0" },
          },
        ]
      : []),
    ...(takesKey
      ? [
          header(
            "Idempotency-Key",
            "A name that this token has not used for another request, such as a UUID. Within 24 hours, the same request again changes nothing and returns the first response, without a secret.",
          ),
        ]
      : []),
    ...(version && method !== "GET"
      ? [header("If-Match", "The `ETag` of what was read. Another version by now is `412 precondition_failed`.")]
      : []),
  ]
}

const failure = (description: string, headers: Json = {}) => ({
  description,
  headers: { ...REQUEST_ID, ...headers },
  content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
})

/** The response to a token without the scope of a route. */
export const FORBIDDEN = failure(
  "`forbidden`: The token does not have the scope that this route needs, or the change is not allowed.",
)

const messageOf = (code: ErrorCode): string => `\`${code}\`: ${errorTable[code].message}`

function failuresOf({ method, path, version }: Operation<never>): Json {
  const hasId = path.includes("{")
  return {
    400: failure([messageOf("invalid_request"), messageOf("invalid_model")].join(" ")),
    401: failure(messageOf("invalid_api_key")),
    403: FORBIDDEN,
    ...(hasId ? { 404: failure(messageOf("not_found")) } : {}),
    ...(version && method !== "GET" ? { 412: failure(messageOf("precondition_failed")) } : {}),
    ...(method === "GET" ? {} : { 413: failure(messageOf("request_too_large")) }),
    429: failure(messageOf("rate_limited"), RETRY),
    500: failure(messageOf("internal_error")),
    default: failure("Other paths are 404, other methods 405 with `Allow`, in the same shape."),
  }
}

/** A schema of OpenAPI 3.1 describes a whole body, and JSON Lines are no JSON value. */
const LINES = { "application/jsonl": { schema: { type: "string" } } }

function describe(operation: Operation<never>): Json {
  const { id, tag, summary, description, right, method, Body, Result, hasDryRun, version, isLines } = operation
  return {
    tags: [tag],
    operationId: id,
    summary,
    description: `${description ? `${description}\n\n` : ""}Needs the scope \`${right}\`.`,
    parameters: parametersOf(operation),
    ...(Body
      ? { requestBody: { required: true, content: { "application/json": { schema: schemaOf(Body, "input") } } } }
      : {}),
    responses: {
      200: {
        description: method === "GET" ? "What was found." : "The outcome of the change.",
        headers: { ...REQUEST_ID, ...(version ? ETAG : {}), ...(hasDryRun ? DRY : {}) },
        content: isLines ? LINES : { "application/json": { schema: schemaOf(Result, "output") } },
      },
      ...failuresOf(operation),
    },
  }
}

/** Returns the paths of an API in an OpenAPI document, and the schema that their errors name. */
export function describeApi<CallActor extends Actor>(
  api: ManagementApi<CallActor>,
): {
  paths: Record<string, Json>
  tags: { name: string }[]
  schemas: Json
} {
  const operations = api.operations as readonly Operation<never>[]
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    const path = api.base + operation.path
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation) }
  }
  const tags = [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name }))
  return { paths, tags, schemas: { Error: schemaOf(ErrorBody, "output") } }
}
