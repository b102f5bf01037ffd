import type { Metadata } from "next"
import { requireSession } from "@/lib/server/auth/session"
import { billingView } from "../_components/billing-view"

export const metadata: Metadata = { title: "Billing" }

export default async function BillingPage({ searchParams }: PageProps<"/billing">) {
  return billingView(await requireSession("/billing"), await searchParams)
}
