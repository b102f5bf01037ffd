import { refresh } from "next/cache"
import { unstable_rethrow } from "next/navigation"
import type { z } from "zod"
import type { UserActor } from "@/lib/server/platform/actor"
import { newId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { toServiceError } from "@/lib/shared/errors"
import { findSession } from "./session"

export interface UserActionError {
  code: string
  message: string
  param?: string
  /** Only for what failed on our side: the log has it with the cause. */
  requestId?: string
  /** What is wrong by field path, such as `name` or `limit.amount`. */
  fields?: Record<string, string>
}

export type UserActionResult<Data> = { ok: true; data: Data } | { ok: false; error: UserActionError }

function fieldErrors(error: z.ZodError): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const { path, message } of error.issues) fields[path.join(".")] ??= message
  return fields
}

function refusal(thrown: unknown): UserActionError {
  const error = toServiceError(thrown)
  const { code, message, param } = error
  if (code !== "internal_error") return { code, message, ...(param === undefined ? {} : { param }) }
  const requestId = publicId("req", newId())
  runtime().log.error("an action failed", { requestId, code, cause: error.cause ?? thrown })
  return { code, message: "Something failed on our side. Try again.", requestId }
}

/**
 * A server action for a verb of the console: finds who is signed in, parses the input, calls the verb, refreshes the page.
 * Answers what the verb returned, or an error that is safe to show; nothing that was typed comes back.
 */
export function userAction<Schema extends z.ZodType, Data>(
  Input: Schema,
  verb: (actor: UserActor, input: z.output<Schema>) => Promise<Data>,
): (typed: z.input<Schema>) => Promise<UserActionResult<Data>> {
  return async (typed) => {
    try {
      const actor = await findSession()
      if (!actor) return { ok: false, error: { code: "signed_out", message: "Sign in again to continue." } }
      const input = Input.safeParse(typed)
      if (!input.success) {
        const message = "Some fields need another look."
        return { ok: false, error: { code: "invalid_request", message, fields: fieldErrors(input.error) } }
      }
      const data = await verb(actor, input.data)
      refresh()
      return { ok: true, data }
    } catch (thrown) {
      unstable_rethrow(thrown)
      return { ok: false, error: refusal(thrown) }
    }
  }
}
