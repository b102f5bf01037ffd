import type { Metadata } from "next"
import { Suspense } from "react"
import { Alert } from "@/components/ui/alert"
import { BackLink } from "@/components/ui/back-link"
import { Money } from "@/components/ui/money"
import { PageHeader } from "@/components/ui/page-header"
import { TextLink } from "@/components/ui/text-link"
import { requireSession } from "@/lib/server/auth/session"
import { getBalance } from "@/lib/server/billing/balance"
import { listTopups } from "@/lib/server/billing/topup"
import { topupTerms } from "@/lib/server/billing/topup-terms"
import { hasRight, type UserActor } from "@/lib/server/platform/actor"
import { TopUpsOff } from "../_components/top-ups-off"
import { AmountForm } from "./_components/amount-form"
import { OpenCheckouts } from "./_components/open-checkouts"
import { PretendMoney } from "./_components/pretend-money"
import { TopUpSkeleton } from "./_components/top-up-skeleton"

export const metadata: Metadata = { title: "Top up" }

interface TopUpPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

const AMOUNT = /^\d{1,6}(?:\.\d{1,2})?$/

const usual = (presets: string[]): string => (presets.includes("25") ? "25" : (presets[0] ?? ""))

export default async function TopUpPage({ searchParams }: TopUpPageProps) {
  const { amount } = await searchParams
  const asked = typeof amount === "string" && AMOUNT.test(amount) ? amount.replace(/\.00?$/, "") : null
  const actor = await requireSession(asked ? `/billing/top-up?amount=${asked}` : "/billing/top-up")
  return (
    <>
      <PageHeader back={<BackLink href="/billing">Billing</BackLink>} title="Top up">
        Credit is prepaid and spent by answered requests alone.
      </PageHeader>
      <Suspense fallback={<TopUpSkeleton />}>
        <TopUp actor={actor} asked={asked} />
      </Suspense>
    </>
  )
}

async function TopUp({ actor, asked }: { actor: UserActor; asked: string | null }) {
  const terms = topupTerms()
  const isOwner = hasRight(actor, "billing.pay")
  const [{ balanceUsd }, topups] = await Promise.all([getBalance(actor), isOwner ? listTopups(actor) : []])
  return (
    <>
      <p className="mb-6">
        Balance <Money usd={balanceUsd} className="font-medium" />
      </p>
      <div className="flex flex-col gap-6">
        {terms.pretend ? <PretendMoney /> : null}
        {terms.enabled && isOwner ? (
          <>
            <OpenCheckouts topups={topups} />
            <AmountForm amountUsd={asked ?? usual(terms.presets)} terms={terms} />
            <p className="max-w-text text-ink-muted text-sm">
              You pay at Stripe, by card or what else it offers you, and enter a tax ID there. Credit arrives with the
              payment and does not expire. For a refund, ask the operator of this service. The receipt is then on{" "}
              <TextLink href="/billing">Billing</TextLink>.
            </p>
          </>
        ) : null}
        {terms.enabled && !isOwner ? (
          <Alert title="Top-ups are for owners">Ask an owner of this account to top it up.</Alert>
        ) : null}
        {terms.enabled ? null : <TopUpsOff email={actor.email} />}
      </div>
    </>
  )
}
