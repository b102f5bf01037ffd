import type { Metadata } from "next"
import { Alert } from "@/components/ui/alert"
import { BackLink, PageHeader } from "@/components/ui/page-header"
import { requireSession } from "@/lib/server/auth/session"
import { getAutoTopup } from "@/lib/server/billing/auto-topup"
import { getBalance } from "@/lib/server/billing/balance"
import { checkOpenDispute } from "@/lib/server/billing/open-dispute"
import { checkCardReturn } from "@/lib/server/billing/save-card-session"
import { topupTerms } from "@/lib/server/billing/topup-terms"
import { hasRight, type UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { refusalOf } from "@/lib/shared/accounts/roles"
import { CHECKOUT_SESSION_ID } from "@/lib/shared/billing/schema"
import { TestPayments, TopUpsOff } from "../_components/top-up-notices"
import { CardSection } from "./_components/card-section"
import { StateNotice } from "./_components/state-notice"
import { TermsForm } from "./_components/terms-form"

export const metadata: Metadata = { title: "Automatic top-up" }

/** Saves the card of the Stripe session that the browser returns from. Returns true if that session saved no card of this account. */
async function isCardMissing(actor: UserActor, session: string | string[] | undefined): Promise<boolean> {
  if (typeof session !== "string" || !CHECKOUT_SESSION_ID.test(session) || !hasRight(actor, "billing.automate"))
    return false
  return !(await checkCardReturn(runtime(), actor, { sessionId: session }))
}

export default async function AutoTopUpPage({ searchParams }: PageProps<"/billing/auto-top-up">) {
  const actor = await requireSession("/billing/auto-top-up")
  const isMissing = await isCardMissing(actor, (await searchParams).card)
  const terms = topupTerms(runtime())
  const [auto, balance, isDisputed] = await Promise.all([
    getAutoTopup(runtime(), actor),
    getBalance(runtime(), actor),
    checkOpenDispute(runtime(), actor),
  ])
  const mayChange = hasRight(actor, "billing.automate")
  return (
    <>
      <PageHeader back={<BackLink href="/billing">Billing</BackLink>} title="Automatic top-up">
        Adds credit from a saved card when the balance is low, so that requests are not refused.
      </PageHeader>
      <div className="flex max-w-text flex-col gap-6">
        {terms.isTestDouble ? <TestPayments /> : null}
        {isMissing ? (
          <Alert tone="warn" title="The card has not arrived yet">
            Stripe has not confirmed the card. Load this page again in a moment. Nothing was charged.
          </Alert>
        ) : null}
        {terms.enabled ? null : <TopUpsOff />}
        <StateNotice
          auto={auto}
          isDisputed={isDisputed}
          mayChange={mayChange}
          mayPay={hasRight(actor, "billing.pay")}
        />
        {mayChange ? null : <Alert title="Your role cannot change this">{refusalOf("billing.automate")}</Alert>}
        {terms.enabled || auto.card ? <CardSection auto={auto} mayChange={mayChange} /> : null}
        {auto.card || auto.terms ? (
          <TermsForm
            // The form shows what was saved after each change.
            key={JSON.stringify([auto.state, auto.terms])}
            auto={auto}
            limits={terms}
            balanceUsd={balance.balanceUsd}
            mayChange={mayChange && terms.enabled && auto.card !== null}
            isDisputed={isDisputed === true}
          />
        ) : null}
      </div>
    </>
  )
}
