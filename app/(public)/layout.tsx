import type { ReactNode } from "react"
import { SiteFrame } from "@/components/site-frame"
import { findSession } from "@/lib/server/auth/session"

/** Renders the frame of the pages outside the console. */
export default async function PublicLayout({ children }: { children: ReactNode }) {
  const actor = await findSession()
  return <SiteFrame isSignedIn={actor !== null}>{children}</SiteFrame>
}
