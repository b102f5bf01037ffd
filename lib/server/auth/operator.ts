import { notFound, redirect } from "next/navigation"
import { isConfirmed, type OperatorActor, requireConfirmed, type UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { recordRefusal } from "./record-refusal"
import { findSession } from "./session"

/** Returns whether `OPERATOR_EMAILS` names the user. */
export const isOperator = ({ email }: UserActor): boolean => runtime().env.OPERATOR_EMAILS.has(email)

const operatorOf = ({ userId, clientAddress }: UserActor): OperatorActor => ({
  type: "operator",
  accountId: null,
  userId,
  clientAddress,
})

/** Returns the signed-in user when that is an operator. For everyone else the page does not exist (404). */
export async function requireOperatorUser(): Promise<UserActor> {
  const user = await findSession()
  return user && isOperator(user) ? user : notFound()
}

/**
 * Returns the operator for a page of the area. For everyone else the page does not exist (404). Without a recent sign-in it
 * redirects to a confirmation, which leads back to `returnTo`.
 */
export async function requireOperator(returnTo: string): Promise<OperatorActor> {
  const user = await requireOperatorUser()
  return isConfirmed(user, "operator")
    ? operatorOf(user)
    : redirect(`/operator/confirm?${new URLSearchParams({ next: returnTo })}`)
}

/** Returns the operator for an action. For everyone else it is a 404. Throws `confirmation_required` without a recent sign-in. */
export async function requireOperatorForAction(): Promise<OperatorActor> {
  const user = await findSession()
  if (user && !isOperator(user)) recordRefusal(runtime(), user, "not_found", "operate")
  else if (user && !isConfirmed(user, "operator")) recordRefusal(runtime(), user, "confirmation_required", "operate")
  const operator = await requireOperatorUser()
  requireConfirmed(operator, "operate")
  return operatorOf(operator)
}
