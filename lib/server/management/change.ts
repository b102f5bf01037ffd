import { createHash } from "node:crypto"
import type { PoolClient } from "pg"
import type { Actor } from "@/lib/server/platform/actor"
import { prisma } from "@/lib/server/platform/db/prisma"
import { inJoinedTransaction, inTransaction } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"
import { requireStillAllowed } from "@/lib/server/platform/still-allowed"
import { ServiceError } from "@/lib/shared/errors"
import { claimKey, type KeptRequest, keepAnswer } from "./kept-answers"
import type { Operation } from "./operation"

/** Rolls the transaction of a dry run back. */
class DryRun extends Error {
  constructor(readonly body: unknown) {
    super("a dry run changes nothing")
  }
}

interface Change {
  actor: Actor
  work(runtime: Runtime): Promise<unknown>
  ids: Record<string, string>
  isDry: boolean
  request: Request
  /** Null without an `Idempotency-Key`. */
  kept: KeptRequest | null
}

interface Changed {
  body: unknown
  headers: Record<string, string>
}

/** Returns the `ETag` of a version, which shows nothing of it. */
const tagOf = (version: string): string => `"${createHash("sha256").update(version).digest("hex").slice(0, 32)}"`

const LOCK = "FOR NO KEY UPDATE"

type Versioned = Pick<Operation<never>, "version">

/** Returns the `ETag` of what an operation reads or changes. */
export const etagOf = (runtime: Runtime, { version }: Versioned, ids: Record<string, string>): Promise<string> =>
  inTransaction(runtime.pool, async (client) => tagOf((await version?.(client, ids, "")) ?? ""))

/** Throws `precondition_failed` when `If-Match` names another version than the current one, whose row stays locked. */
async function requireVersion(
  client: PoolClient,
  { version }: Versioned,
  { ids, request }: Pick<Change, "ids" | "request">,
): Promise<void> {
  const expected = request.headers.get("if-match")
  if (expected === null || expected === "*") return
  if (!version || expected !== tagOf(await version(client, ids, LOCK))) throw new ServiceError("precondition_failed")
}

/** Throws `invalid_request` for a header that the operation would ignore, because the program relies on what it means. */
function refuseIgnored(request: Request, { version, takesKey }: Pick<Operation<never>, "version" | "takesKey">): void {
  const refuse = (param: string, message: string) => new ServiceError("invalid_request", { param, message })
  if (request.headers.has("if-match") && !version) throw refuse("If-Match", "This route has no versions.")
  if (request.headers.has("idempotency-key") && !takesKey)
    throw refuse("Idempotency-Key", "This route takes no idempotency key.")
}

/**
 * Runs a change. Verb, version, `Idempotency-Key` and dry run are parts of one transaction, so that a program gets all of it or nothing. Throws what the
 * verb throws, `precondition_failed`, and `invalid_api_key` when the token ended or lost a scope while the verb waited for a lock.
 */
export async function change<CallActor extends Actor>(
  runtime: Runtime,
  operation: Operation<CallActor>,
  call: Change,
): Promise<Changed> {
  refuseIgnored(call.request, operation)
  if (operation.isJoined === false) return { body: await call.work(runtime), headers: {} }
  // Created here, so that it keeps the process's own pool.
  prisma(runtime)
  try {
    return await inJoinedTransaction(runtime.pool, async (client, pool): Promise<Changed> => {
      const earlier = call.kept && (await claimKey(client, call.kept))
      if (earlier) return { body: earlier, headers: { "idempotent-replayed": "true" } }
      await requireVersion(client, operation, call)
      const body = await call.work({ ...runtime, pool })
      if (!operation.endsToken) await requireStillAllowed(client, call.actor)
      if (call.isDry) throw new DryRun(body)
      if (call.kept) await keepAnswer(client, call.kept, body, operation.secret)
      const etag = operation.version && tagOf(await operation.version(client, call.ids, ""))
      return { body, headers: etag === undefined ? {} : { etag } }
    })
  } catch (thrown) {
    if (!(thrown instanceof DryRun)) throw thrown
    return { body: thrown.body, headers: { "dry-run": "1" } }
  }
}
