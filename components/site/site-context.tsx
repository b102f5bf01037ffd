"use client"
import { createContext, type ReactNode, useContext } from "react"
import type { Site } from "@/lib/shared/site/site"

const SiteContext = createContext<Site>({
  name: "Decision service",
  logoUrl: null,
  support: { email: null, url: null },
  legal: [],
})

export function SiteProvider({ site, children }: { site: Site; children: ReactNode }) {
  return <SiteContext value={site}>{children}</SiteContext>
}

/** Returns the name, logo, contact and legal links of this service. */
export const useSite = (): Site => useContext(SiteContext)
