import type { ReactNode } from "react"
import { SiteFrame } from "@/components/site/site-frame"
import { findSession } from "@/lib/server/auth/session"

export default async function PublicLayout({ children }: { children: ReactNode }) {
  // While the database is unavailable, the frame is that of a visitor, so that the status page can report the outage.
  const actor = await findSession().catch(() => null)
  return <SiteFrame isSignedIn={actor !== null}>{children}</SiteFrame>
}
