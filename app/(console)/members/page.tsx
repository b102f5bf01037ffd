import type { Metadata } from "next"
import { requireSession } from "@/lib/server/auth/session"
import { membersView } from "./_components/members-view"

export const metadata: Metadata = { title: "Members" }

export default async function MembersPage() {
  return membersView(await requireSession("/members"))
}
