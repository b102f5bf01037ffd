"use client"
import { useRouter } from "next/navigation"
import { type ComponentProps, useState, useSyncExternalStore } from "react"
import { Support } from "@/components/site/support"
import { usePoll } from "@/components/timing/use-poll"
import { Alert } from "@/components/ui/alert"
import { LinkButton } from "@/components/ui/link-button"
import type { CheckedTopup } from "@/lib/server/billing/check-topup"
import { isTopUpForRun } from "@/lib/shared/billing/playground-top-up"
import type { TopupStatus } from "@/lib/shared/billing/schema"
import { formatBalance, formatUsd } from "@/lib/shared/format"
import { checkTopupAction } from "../../../actions"

const POLL_EVERY_MS = 1_000
const POLL_FOR_MS = 10 * 60_000
const isOver = (status: TopupStatus): boolean => status !== "created" && status !== "open" && status !== "processing"

/**
 * Returns the top-up, kept up to date. Polls every second at first and more slowly later, for up to ten minutes or
 * until the payment is over. Then refreshes the page once, for the balance in the frame.
 */
function useTopup(first: CheckedTopup): CheckedTopup {
  const [checked, setChecked] = useState(first)
  const router = useRouter()
  const { id, status } = checked.topup
  usePoll(
    !isOver(status),
    (elapsedMs) => (elapsedMs < POLL_FOR_MS ? POLL_EVERY_MS + elapsedMs / 10 : null),
    async () => {
      const result = await checkTopupAction({ id }).catch(() => null)
      if (!result?.ok) return
      setChecked(result.data)
      if (isOver(result.data.topup.status)) router.refresh()
    },
  )
  return checked
}

interface TopupProgressProps {
  first: CheckedTopup
  accountId: string
}

export function TopupProgress({ first, accountId }: TopupProgressProps) {
  const { topup, balanceUsd } = useTopup(first)
  const credit = formatUsd(topup.creditUsd)
  const retry = <LinkButton href={`/billing/top-up?amount=${Number(topup.creditUsd)}`}>Try again</LinkButton>
  switch (topup.status) {
    case "paid":
      return <Added credit={credit} balanceUsd={balanceUsd} accountId={accountId} />
    case "failed":
      return (
        <Status tone="danger" title="The payment failed" action={retry}>
          No credit was added. Your bank may know the reason. Try again, or use another payment method.
        </Status>
      )
    case "expired":
      return (
        <Status tone="warn" title="This checkout has expired" action={retry}>
          You were not charged, and no credit was added.
        </Status>
      )
    case "attention":
    case "settled":
    case "ended":
      return <Doubtful status={topup.status} id={topup.id} balanceUsd={balanceUsd} />
    case "processing":
      return (
        <Status title="Waiting for your bank…" action={<SecondaryLink href="/billing">Open billing</SecondaryLink>}>
          Your bank is still confirming the payment of {credit}. The credit is added once your bank confirms it. You can
          close this page.
        </Status>
      )
    default:
      return (
        <Status
          title="Waiting for the payment…"
          action={<SecondaryLink href="/billing/top-up">Back to top up</SecondaryLink>}
        >
          {credit} is added once Stripe confirms the payment. You can close this page. To finish a checkout that you
          left, go back to the top-up page.
        </Status>
      )
  }
}

interface DoubtfulProps {
  status: "attention" | "settled" | "ended"
  /** `top_…` */
  id: string
  balanceUsd: string
}

/** Reports a completed checkout that the service could not credit, and what the operator did with it. */
function Doubtful({ status, id, balanceUsd }: DoubtfulProps) {
  const action = <SecondaryLink href="/billing">Open billing</SecondaryLink>
  if (status === "attention")
    return (
      <Status tone="warn" title="This payment needs attention" action={action}>
        Stripe completed this checkout, but not as the payment that was asked for. No credit was added yet. Contact{" "}
        <Support /> with <span className="break-all font-mono text-sm">{id}</span>.
      </Status>
    )
  return (
    <Status title={`The operator ${status} this top-up`} action={action}>
      {status === "settled" ? "The credit was added." : "No credit was added."} Your balance is{" "}
      {formatBalance(balanceUsd)}.
    </Status>
  )
}

const Status = (props: ComponentProps<typeof Alert>) => <Alert role="status" className="max-w-text" {...props} />

const SecondaryLink = ({ href, children }: { href: string; children: string }) => (
  <LinkButton href={href} variant="secondary">
    {children}
  </LinkButton>
)

const noChange = () => () => {}

/** Confirms the credit. Offers to repeat the run that led to the top-up, if the balance is above zero now. */
function Added({ credit, balanceUsd, accountId }: { credit: string; balanceUsd: string; accountId: string }) {
  const isForRun = useSyncExternalStore(
    noChange,
    () => isTopUpForRun(accountId),
    () => false,
  )
  const mayRunAgain = isForRun && !/^-|^0\.0+$/.test(balanceUsd)
  const next = (
    <span className="flex flex-wrap gap-2">
      {mayRunAgain ? <LinkButton href="/playground">Run again</LinkButton> : null}
      <LinkButton href="/billing" variant={mayRunAgain ? "secondary" : "primary"}>
        Open billing
      </LinkButton>
    </span>
  )
  return (
    <Status tone="ok" title={`${credit} added`} action={next}>
      Your balance is {formatBalance(balanceUsd)}.
    </Status>
  )
}
