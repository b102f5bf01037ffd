import type { Metadata } from "next"
import { BackLink, PageHeader } from "@/components/ui/page-header"
import { requireSession } from "@/lib/server/auth/session"
import { TopUp } from "./_components/top-up"

export const metadata: Metadata = { title: "Top up" }

const AMOUNT = /^\d{1,6}(?:\.\d{1,2})?$/

export default async function TopUpPage({ searchParams }: PageProps<"/billing/top-up">) {
  const { amount } = await searchParams
  const amountUsd = typeof amount === "string" && AMOUNT.test(amount) ? amount.replace(/\.00?$/, "") : null
  const actor = await requireSession("/billing/top-up", amountUsd ? `/billing/top-up?amount=${amountUsd}` : undefined)
  return (
    <>
      <PageHeader back={<BackLink href="/billing">Billing</BackLink>} title="Top up">
        Credit is prepaid. Only answered requests use it.
      </PageHeader>
      <TopUp actor={actor} amountUsd={amountUsd} />
    </>
  )
}
