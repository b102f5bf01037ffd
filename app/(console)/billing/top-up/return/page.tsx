import type { Metadata } from "next"
import { notFound } from "next/navigation"
import { BackLink, PageHeader } from "@/components/ui/page-header"
import { requireSession } from "@/lib/server/auth/session"
import { checkReturn } from "@/lib/server/billing/check-topup"
import { topupTerms } from "@/lib/server/billing/topup-terms"
import { runtime } from "@/lib/server/platform/runtime"
import { CHECKOUT_SESSION_ID } from "@/lib/shared/billing/schema"
import { ServiceError } from "@/lib/shared/errors"
import { TestPayments } from "../../_components/top-up-notices"
import { TopupProgress } from "./_components/topup-progress"

export const metadata: Metadata = { title: "Top-up" }

/**
 * Renders the page to which Stripe returns the browser. Opening it proves no payment, so the status comes from Stripe, or from the
 * stored top-up after 3 s.
 */
export default async function ReturnPage({ searchParams }: PageProps<"/billing/top-up/return">) {
  const { session_id: sessionId } = await searchParams
  if (typeof sessionId !== "string" || !CHECKOUT_SESSION_ID.test(sessionId)) notFound()
  const actor = await requireSession("/billing/top-up/return", `/billing/top-up/return?session_id=${sessionId}`)
  const checked = await checkReturn(runtime(), actor, { sessionId }).catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === "not_found") notFound()
    throw error
  })
  return (
    <>
      <PageHeader back={<BackLink href="/billing">Billing</BackLink>} title="Top-up">
        The status of your payment.
      </PageHeader>
      <div className="flex flex-col gap-6">
        <TopupProgress first={checked} accountId={actor.accountId} />
        {topupTerms(runtime()).isTestDouble ? <TestPayments /> : null}
      </div>
    </>
  )
}
