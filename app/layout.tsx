import { runtime } from "@/lib/server/platform/runtime"
import "./globals.css"
import type { Metadata } from "next"
import { cookies, headers } from "next/headers"
import type { ReactNode } from "react"
import { PendingNavigation } from "@/components/link/pending-navigation"
import { SiteProvider } from "@/components/site/site-context"
import { accentSheet, readSite } from "@/lib/server/platform/site"
import { THEME_COOKIE, themeOf } from "@/lib/shared/preferences"
import { REQUEST_ID_ATTRIBUTE, REQUEST_ID_HEADER } from "@/lib/shared/request-ids"
import { fontClasses } from "./fonts/fonts"

/** Every page contains the nonce of its own response, so no page can be prerendered. */
export const dynamic = "force-dynamic"

export function generateMetadata(): Metadata {
  const { name, logoUrl } = readSite(runtime())
  return {
    title: { default: name, template: `%s · ${name}` },
    description:
      "Ask typed questions about a text or JSON value and get probabilities back. Self-hosted, with API keys that cannot exceed their spend limits.",
    icons: { icon: logoUrl ?? "/icon.svg" },
  }
}

/** Renders the company's colours. The Content-Security-Policy allows the style sheet by the nonce of this response. */
async function Colors() {
  const sheet = accentSheet(runtime())
  if (!sheet) return null
  const nonce = /'nonce-([^']+)'/.exec((await headers()).get("content-security-policy") ?? "")?.[1]
  return <style nonce={nonce}>{sheet}</style>
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = themeOf((await cookies()).get(THEME_COOKIE)?.value)
  const requestId = { [REQUEST_ID_ATTRIBUTE]: (await headers()).get(REQUEST_ID_HEADER) ?? undefined }
  return (
    <html {...requestId} lang="en" data-theme={theme === "system" ? undefined : theme} className={fontClasses}>
      <head>
        {/* Not in `viewport`: Next would insert it again on each page, and the browser would restyle the whole document. */}
        <meta name="color-scheme" content="light dark" />
        <Colors />
      </head>
      <body className="font-sans">
        <a
          href="#content"
          className="sr-only rounded-md bg-ink px-3 py-2 text-bg focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50"
        >
          Skip to content
        </a>
        <PendingNavigation />
        <SiteProvider site={readSite(runtime())}>{children}</SiteProvider>
      </body>
    </html>
  )
}
