import "./globals.css"
import { GeistMono } from "geist/font/mono"
import { GeistSans } from "geist/font/sans"
import type { Metadata, Viewport } from "next"
import { cookies } from "next/headers"
import type { ReactNode } from "react"
import { THEME_COOKIE, Theme } from "@/lib/shared/preferences"

/** Every page contains the nonce of its own response, so no page can be prerendered. */
export const dynamic = "force-dynamic"

export const metadata: Metadata = {
  title: { default: "Decision service", template: "%s · Decision service" },
  description:
    "Ask typed questions about a text or JSON value and get probabilities back. Self-hosted, with API keys that cannot exceed their spend limits.",
}

export const viewport: Viewport = { colorScheme: "light dark" }

export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = Theme.parse((await cookies()).get(THEME_COOKIE)?.value)
  return (
    <html
      lang="en"
      data-theme={theme === "system" ? undefined : theme}
      className={`${GeistSans.variable} ${GeistMono.variable}`}
    >
      <body className="font-sans">
        <a
          href="#content"
          className="sr-only rounded-md bg-ink px-3 py-2 text-bg focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50"
        >
          Skip to content
        </a>
        {children}
      </body>
    </html>
  )
}
