import { Alert } from "@/components/ui/alert"

/** Said wherever money is shown while a stand-in for Stripe takes the payments. */
export function PretendMoney() {
  return (
    <Alert tone="warn" title="Pretend money" className="max-w-text">
      This service is connected to a stand-in for Stripe. No card is charged and nothing real is paid.
    </Alert>
  )
}
