import type { Runtime } from "@/lib/server/platform/runtime"
import { readSite } from "@/lib/server/platform/site"
import { ServiceError } from "@/lib/shared/errors"
import { supportText } from "@/lib/shared/site/site"
import type { Payments } from "./payments"

function paymentsOr({ payments }: Runtime, message: () => string): Payments {
  if (!payments) throw new ServiceError("forbidden", { message: message() })
  return payments
}

/** Returns the connection to Stripe. Throws `forbidden` while top-ups are off. */
export const requirePayments = (runtime: Runtime): Payments =>
  paymentsOr(runtime, () => `Top-ups are off. Ask ${supportText(readSite(runtime).support)} for credit.`)

/** Does the same for the operator, who can turn top-ups on. */
export const requirePaymentsAsOperator = (runtime: Runtime): Payments =>
  paymentsOr(runtime, () => "Top-ups are off: STRIPE_SECRET_KEY is not set.")

/** Returns an `upstream_error`. `effect` says as a sentence what the failed call changed or did not change. */
export const stripeUnreachable = (effect: string, cause: unknown): ServiceError =>
  new ServiceError("upstream_error", {
    message: `Stripe could not be reached. ${effect} Try again in a moment.`,
    cause,
  })

/** Returns the `not_found` of a top-up that is unknown or another account's. */
export const topupNotFound = (): ServiceError =>
  new ServiceError("not_found", { message: "This account has no such top-up." })

/** Returns the `not_found` for the operator, who sees the top-ups of all accounts. */
export const topupNotFoundForOperator = (): ServiceError =>
  new ServiceError("not_found", { message: "There is no top-up with this id." })
