import { notFound } from "next/navigation"
import { lookAtAccount } from "@/lib/server/audit/look-at-account"
import { requireOperator } from "@/lib/server/auth/operator"
import type { AccountOperator, OperatorActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import type { OperatorPath, ShownPath } from "@/lib/shared/pages"

/** Returns the address below which the pages of an account are. */
export const accountBase = (id: string): string => `/operator/accounts/${id}`

/**
 * Returns the operator who opens a page of the account in the address, as an actor that only reads, and records the look. `shown` is the
 * id in place of `[id]` in the page's own path. An unknown account is a 404.
 */
export async function lookAt(
  path: ShownPath | "/",
  params: Promise<{ id: string }>,
  shown = "",
): Promise<AccountOperator> {
  const { id } = await params
  const returnTo = `${accountBase(id)}${path === "/" ? "" : path.replace("[id]", shown)}`
  const operator = await requireOperator("/operator/accounts/[id]", returnTo)
  try {
    return await lookAtAccount(runtime(), operator, { id, page: path.replace("/[id]", "") })
  } catch (error) {
    if (error instanceof ServiceError && error.code === "not_found") notFound()
    throw error
  }
}

/** Records that an operator views a list of the area that is limited to one account. Nothing for an unknown account: its list is empty. */
export async function lookAtListOf(id: string, operator: OperatorActor, page: OperatorPath): Promise<void> {
  try {
    await lookAtAccount(runtime(), operator, { id, page })
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === "not_found")) throw error
  }
}
