import { forbidden, notFound, redirect } from "next/navigation"
import {
  hasRight,
  isConfirmed,
  type OperatorActor,
  requireConfirmed,
  type UserActor,
} from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import type { OperatorRole } from "@/lib/shared/accounts/roles"
import { type OperatorPath, PAGES, type PageRow } from "@/lib/shared/pages"
import { recordRefusal } from "./record-refusal"
import { findSession } from "./session"

/** Returns the user's role in the operator's area; null for a user who may not open it. `OPERATOR_EMAILS` names the admins. */
export const operatorRoleOf = ({ email, operatorRole }: UserActor): OperatorRole | null =>
  runtime().env.OPERATOR_EMAILS.has(email) ? "admin" : operatorRole

/** Returns the user as an operator. For everyone else the area does not exist (404). */
function operatorOf(user: UserActor): OperatorActor {
  const { userId, clientAddress } = user
  const role = operatorRoleOf(user) ?? notFound()
  return { type: "operator", accountId: null, role, userId, clientAddress }
}

/** Returns the signed-in user when that is an operator. For everyone else the page does not exist (404). */
export async function requireOperatorUser(): Promise<UserActor> {
  const user = await findSession()
  return user && operatorRoleOf(user) ? user : notFound()
}

/**
 * Returns the operator for a page of the area. For everyone else the page does not exist (404). Without a recent sign-in it
 * redirects to a confirmation, which leads back to `returnTo`, by default the page. Responds with 403 when the operator's role lacks the
 * right of the page's row in `PAGES`.
 */
export async function requireOperator(path: OperatorPath, returnTo: string = path): Promise<OperatorActor> {
  const user = await requireOperatorUser()
  if (!isConfirmed(user, "operator")) redirect(`/operator/confirm?${new URLSearchParams({ next: returnTo })}`)
  const operator = operatorOf(user)
  const { right = "service.read" }: PageRow = PAGES[path]
  return hasRight(operator, right) ? operator : forbidden()
}

/** Returns the operator for an action. For everyone else it is a 404. Throws `confirmation_required` without a recent sign-in. */
export async function requireOperatorForAction(): Promise<OperatorActor> {
  const user = await findSession()
  if (user && !operatorRoleOf(user)) recordRefusal(runtime(), user, "not_found", "operate")
  else if (user && !isConfirmed(user, "operator")) recordRefusal(runtime(), user, "confirmation_required", "operate")
  const operator = await requireOperatorUser()
  requireConfirmed(operator, "operate")
  return operatorOf(operator)
}
