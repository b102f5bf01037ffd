import type { ReactNode } from "react"
import { SiteFrame } from "@/components/site-frame"
import { findSession } from "@/lib/server/auth/session"

export default async function PublicLayout({ children }: { children: ReactNode }) {
  const actor = await findSession()
  return <SiteFrame isSignedIn={actor !== null}>{children}</SiteFrame>
}
