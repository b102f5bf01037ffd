import type { ReactNode } from "react"
import { SiteFrame } from "@/components/site/site-frame"
import { findSession } from "@/lib/server/auth/session"
import { runtime } from "@/lib/server/platform/runtime"

export default async function PublicLayout({ children }: { children: ReactNode }) {
  // While the database is unavailable, the frame is that of a visitor, so that the status page reports the outage at once.
  const actor = runtime().catalogue.fresh ? await findSession().catch(() => null) : null
  return <SiteFrame isSignedIn={actor !== null}>{children}</SiteFrame>
}
