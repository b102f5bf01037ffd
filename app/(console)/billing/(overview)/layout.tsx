import type { ReactNode } from "react"
import { requireSession } from "@/lib/server/auth/session"

/** Above the skeleton: who is not signed in is sent to sign-in by status, before anything is drawn. */
export default async function BillingLayout({ children }: { children: ReactNode }) {
  await requireSession("/billing")
  return children
}
