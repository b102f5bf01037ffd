import type { Metadata } from "next"
import { findSession } from "@/lib/server/auth/session"
import { ConfirmLink } from "./_components/confirm-link"

export const metadata: Metadata = { title: "Confirm sign-in" }

export default async function ConfirmPage() {
  const actor = await findSession()
  return <ConfirmLink signedInAs={actor?.email ?? null} />
}
