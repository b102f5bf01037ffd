import type { Metadata } from "next"
import { NotFoundPage } from "@/components/failure-page"
import { SiteFrame } from "@/components/site/site-frame"
import { findSession } from "@/lib/server/auth/session"

export const metadata: Metadata = { title: "Page not found" }

export default async function NotFound() {
  return (
    <SiteFrame isSignedIn={(await findSession()) !== null}>
      <NotFoundPage />
    </SiteFrame>
  )
}
