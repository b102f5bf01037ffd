import type { Metadata } from "next"
import { redirect } from "next/navigation"
import { requireSession } from "@/lib/server/auth/session"
import { FindRequestInput } from "@/lib/server/usage/schema"
import { usageView } from "./_components/usage-view"

export const metadata: Metadata = { title: "Usage" }

export default async function UsagePage({ searchParams }: PageProps<"/usage">) {
  const actor = await requireSession("/usage")
  const params = await searchParams
  // The log was a part of this page.
  const request = FindRequestInput.safeParse({ id: params.request })
  if (request.success) redirect(`/requests?${new URLSearchParams({ request: request.data.id })}`)
  return usageView(actor, params)
}
