import type { Metadata } from "next"
import { notFound } from "next/navigation"
import { BackLink } from "@/components/ui/back-link"
import { PageHeader } from "@/components/ui/page-header"
import { requireSession } from "@/lib/server/auth/session"
import { checkReturn } from "@/lib/server/billing/check-topup"
import { topupTerms } from "@/lib/server/billing/topup-terms"
import { ServiceError } from "@/lib/shared/errors"
import { PretendMoney } from "../_components/pretend-money"
import { TopupProgress } from "./_components/topup-progress"

export const metadata: Metadata = { title: "Top-up" }

interface ReturnPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

const SESSION = /^cs_[A-Za-z0-9_]{1,150}$/

/** Where Stripe sends the browser after a payment. The address proves nothing: Stripe is asked. */
export default async function ReturnPage({ searchParams }: ReturnPageProps) {
  const { session_id: sessionId } = await searchParams
  if (typeof sessionId !== "string" || !SESSION.test(sessionId)) notFound()
  const actor = await requireSession(`/billing/top-up/return?session_id=${sessionId}`)
  const checked = await checkReturn(actor, sessionId).catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === "not_found") notFound()
    throw error
  })
  return (
    <>
      <PageHeader back={<BackLink href="/billing">Billing</BackLink>} title="Top-up">
        What became of your payment.
      </PageHeader>
      <div className="flex flex-col gap-6">
        <TopupProgress first={checked} />
        {topupTerms().pretend ? <PretendMoney /> : null}
      </div>
    </>
  )
}
