import type { PoolClient } from "pg"
import { z } from "zod"
import type { AccountActor, Actor } from "@/lib/server/platform/actor"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { Right } from "@/lib/shared/accounts/roles"
import { ServiceError } from "@/lib/shared/errors"
import type { FieldPath } from "@/lib/shared/json/field-path"

type Method = "GET" | "POST" | "PUT" | "DELETE"

/** What was sent, before it is parsed. */
export interface Sent {
  /** The segments of the path in place of `{name}`. */
  ids: Record<string, string>
  query: Record<string, string>
  /** Undefined without a body. */
  body: unknown
}

/** What an operation gets. Within a transaction, `runtime.pool` is a part of it. */
export interface Call<CallActor extends Actor, Body = unknown, Query = unknown> {
  runtime: Runtime
  actor: CallActor
  ids: Record<string, string>
  body: Body
  query: Query
}

/** Returns the current version of what an operation reads or changes. `lock` ends the statement: it keeps the row as it is, or is empty. */
type ReadVersion = (client: PoolClient, ids: Record<string, string>, lock: Lock) => Promise<string>
type Lock = "" | "FOR NO KEY UPDATE"

interface Facts {
  /** The `operationId` of the OpenAPI document. */
  id: string
  method: Method
  /** Below the base of its API, such as `/accounts/{account}/status`. */
  path: string
  tag: string
  summary: string
  description?: string
  right: Right
  /** The verbs that it calls, as the register of verbs names them. */
  verbs: readonly string[]
  /** Whether `?dry_run=1` reports the outcome and changes nothing. */
  hasDryRun?: boolean
  /** Whether an `Idempotency-Key` makes a repetition return the first response. It holds ids and amounts, and no name. */
  takesKey?: boolean
  /** The field of the response that is a secret. A repetition returns null in its place. */
  secret?: string
  /** With it, responses have an `ETag`, and `If-Match` refuses a change of another version. */
  version?: ReadVersion
  /** Whether it may revoke the token of its own request. */
  endsToken?: boolean
  /** Whether the result is an array that is sent as JSON Lines. */
  isLines?: boolean
  /** False for a change that asks another server: it commits by itself. */
  isJoined?: boolean
}

interface Typed<CallActor extends Actor, Body extends z.ZodType, Query extends z.ZodType, Result extends z.ZodType>
  extends Facts {
  Body?: Body
  Query?: Query
  Result: Result
  run(call: Call<CallActor, z.output<Body>, z.output<Query>>): Promise<z.input<Result>>
}

/** A route of a management API: what the document says of it, and what it does. */
export interface Operation<CallActor extends Actor> extends Facts {
  Body: z.ZodType | null
  Query: z.ZodType
  Result: z.ZodType
  /** Parses what was sent. Throws `invalid_request` with the first fault. */
  prepare(sent: Sent): (runtime: Runtime, actor: CallActor) => Promise<unknown>
}

/** Where the operations on one account are in an API. */
export interface OfAccount<CallActor extends Actor> {
  /** What comes before their paths, such as `/accounts/{account}`; empty in the API of one account. */
  base: string
  /** Returns the actor on that account. Throws `not_found`. */
  onAccount(call: Call<CallActor>): Promise<AccountActor>
}

const NOTHING = z.strictObject({})

/** Parses a part of a request. Throws `invalid_request` with the path of the first fault. Errors repeat nothing of it. */
function parse<Schema extends z.ZodType>(Schema: Schema, value: unknown): z.output<Schema> {
  const parsed = Schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const path = (issue?.path ?? []) as FieldPath
  throw new ServiceError("invalid_request", {
    ...(path.length > 0 ? { path } : { param: "body" }),
    message: issue?.code === "unrecognized_keys" ? "There is an unknown field or parameter." : issue?.message,
  })
}

/** Returns a factory of the operations of one kind of actor, which parse what was sent before they run. */
export const operationsOf =
  <CallActor extends Actor>() =>
  <Result extends z.ZodType, Body extends z.ZodType = typeof NOTHING, Query extends z.ZodType = typeof NOTHING>({
    Body,
    Query,
    run,
    ...facts
  }: Typed<CallActor, Body, Query, Result>): Operation<CallActor> => ({
    ...facts,
    Body: Body ?? null,
    Query: Query ?? NOTHING,
    prepare: ({ ids, query, body }) => {
      const parsed = {
        ids,
        query: parse<z.ZodType>(Query ?? NOTHING, query) as z.output<Query>,
        body: parse<z.ZodType>(Body ?? NOTHING, Body ? body : (body ?? {})) as z.output<Body>,
      }
      return (runtime, actor) => run({ runtime, actor, ...parsed })
    },
  })

/** The query of a list that is read page by page. */
export const PageQuery = z.strictObject({
  limit: z
    .string()
    .regex(/^\d{1,4}$/, "Use a whole number from 1 to 1000.")
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= 1_000, "Use a whole number from 1 to 1000.")
    .default(50)
    .meta({ description: "How many to return, 1 to 1,000." }),
  after: z.string().max(100).nullable().default(null).meta({ description: "The `next` of the page before." }),
})

/** The query of a list that is read forward. A program sends the id of the last line that it has. */
export const ForwardQuery = PageQuery.extend({
  limit: PageQuery.shape.limit.unwrap().default(1_000).meta({ description: "How many lines to return, 1 to 1,000." }),
  after: z
    .string()
    .regex(/^\d{1,18}$/, "Use the `id` of a line.")
    .default("0")
    .meta({
      description: "The `id` of the last line that was read. Without it, the export starts at the first entry.",
    }),
})
