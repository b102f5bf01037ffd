import { revalidatePath } from "next/cache"
import { headers } from "next/headers"
import { unstable_rethrow } from "next/navigation"
import type { z } from "zod"
import type { OperatorActor, UserActor } from "@/lib/server/platform/actor"
import { newId, publicId } from "@/lib/server/platform/ids"
import { type Runtime, runtime } from "@/lib/server/platform/runtime"
import { SHOWN_ACCOUNT } from "@/lib/shared/accounts/shown-account"
import { toServiceError } from "@/lib/shared/errors"
import { requireOperatorForAction } from "./operator"
import { recordRefusal } from "./record-refusal"
import { findSession } from "./session"
import { refuseOtherAccount } from "./shown-account"

interface UserActionError {
  code: string
  message: string
  param?: string
  /** Only for an internal error. The log has the cause under this id. */
  requestId?: string
  /** Messages by field path, such as `name` or `limit.amountUsd`. */
  fields?: Record<string, string>
}

type UserActionResult<Data> = { ok: true; data: Data } | { ok: false; error: UserActionError }

function fieldErrors(error: z.ZodError): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const { path, message } of error.issues) fields[path.join(".")] ??= message
  return fields
}

function errorOf(thrown: unknown, actor: UserActor | OperatorActor | null): UserActionError {
  const error = toServiceError(thrown)
  const { code, message, param } = error
  if (error.status === 403 && actor) recordRefusal(runtime(), actor, code, param)
  if (code !== "internal_error") return { code, message, ...(param === undefined ? {} : { param }) }
  const requestId = publicId("req", newId())
  runtime().log.error("A server action failed", {
    event: "action.failed",
    requestId,
    code,
    cause: error.cause ?? thrown,
  })
  return { code, message: "Something failed on our side. Try again.", requestId }
}

/** Refreshes the page, and empties the browser's cache of pages that it visited or loaded ahead, which Next's `refresh` does not. */
const refreshPages = (): void => revalidatePath("/", "layout")

/** A server action: parses its input, and reports errors instead of throwing them. */
type Action<Schema extends z.ZodType, Data> = (typed: z.input<Schema>) => Promise<UserActionResult<Data>>

/**
 * Returns a factory of server actions that run as the actor from `findActor`, and call `onDone` after the verb. A null actor gets the
 * error `signed_out`.
 */
const actionsOf =
  <Actor extends UserActor | OperatorActor>(findActor: () => Promise<Actor | null>, onDone: () => void) =>
  <Schema extends z.ZodType, Data>(
    Input: Schema,
    verb: (runtime: Runtime, actor: Actor, input: z.output<Schema>) => Promise<Data>,
  ): Action<Schema, Data> =>
  async (typed) => {
    let actor: Actor | null = null
    try {
      actor = await findActor()
      if (!actor) return { ok: false, error: { code: "signed_out", message: "Sign in again to continue." } }
      const input = Input.safeParse(typed)
      if (!input.success) {
        const message = "Check the marked fields."
        return { ok: false, error: { code: "invalid_request", message, fields: fieldErrors(input.error) } }
      }
      const data = await verb(runtime(), actor, input.data)
      onDone()
      return { ok: true, data }
    } catch (thrown) {
      unstable_rethrow(thrown)
      return { ok: false, error: errorOf(thrown, actor) }
    }
  }

/** Returns the signed-in user, or null. Throws `account_switched` for a tab that shows another account. */
async function findActingUser(): Promise<UserActor | null> {
  const actor = await findSession()
  if (actor) refuseOtherAccount(actor, (await headers()).get(SHOWN_ACCOUNT))
  return actor
}

/**
 * Creates a server action for a verb that changes something: finds the signed-in user, parses the input, calls the verb and refreshes
 * the page. Returns the verb's result, or an error that is safe to show and never repeats the input.
 */
export const userAction = actionsOf<UserActor>(findActingUser, refreshPages)

/**
 * Creates a server action for a verb that reads. It never refreshes the page, so a page may poll it. A page that learns of a change
 * refreshes itself.
 */
export const userRead = actionsOf<UserActor>(findActingUser, () => {})

/**
 * Creates a server action for a verb of the operator's area. Responds 404 to everyone else, and `confirmation_required` to an operator
 * without a recent sign-in.
 */
export const operatorAction = actionsOf<OperatorActor>(requireOperatorForAction, refreshPages)
