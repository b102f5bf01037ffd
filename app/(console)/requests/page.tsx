import type { Metadata } from "next"
import { requireSession } from "@/lib/server/auth/session"
import { requestsView } from "./_components/requests-view"

export const metadata: Metadata = { title: "Requests" }

export default async function RequestsPage({ searchParams }: PageProps<"/requests">) {
  return requestsView(await requireSession("/requests"), await searchParams)
}
