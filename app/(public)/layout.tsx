import type { ReactNode } from "react"
import { SiteFrame } from "@/components/site-frame"
import { findSession } from "@/lib/server/auth/session"

export default async function PublicLayout({ children }: { children: ReactNode }) {
  // While the database is down, the pages open as for a visitor: the status page reports it.
  const actor = await findSession().catch(() => null)
  return <SiteFrame isSignedIn={actor !== null}>{children}</SiteFrame>
}
