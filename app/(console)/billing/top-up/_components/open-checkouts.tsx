import { Alert } from "@/components/ui/alert"
import { buttonClass } from "@/components/ui/button"
import { Money } from "@/components/ui/money"
import { Time } from "@/components/ui/time"
import type { Topup } from "@/lib/server/billing/topup"

/** Checkouts that were left before they were paid: each can go on for an hour. */
export function OpenCheckouts({ topups }: { topups: Topup[] }) {
  return topups
    .filter(({ checkoutUrl }) => checkoutUrl !== null)
    .map(({ id, at, creditUsd, checkoutUrl }) => (
      <Alert
        key={id}
        className="max-w-text"
        title="A checkout is open"
        action={
          <a href={checkoutUrl ?? ""} className={buttonClass("secondary", "sm")}>
            Resume
          </a>
        }
      >
        <Money usd={creditUsd} />, begun <Time at={at} />. It has not been paid.
      </Alert>
    ))
}
