import "./globals.css"
import { GeistMono } from "geist/font/mono"
import { GeistSans } from "geist/font/sans"
import type { Metadata, Viewport } from "next"
import { cookies } from "next/headers"
import type { ReactNode } from "react"
import { Theme } from "./(console)/settings/theme"

/** Every page carries the nonce of its own response, so none is rendered ahead. */
export const dynamic = "force-dynamic"

export const metadata: Metadata = {
  title: { default: "Decision service", template: "%s · Decision service" },
  description:
    "Typed questions about a state, answered with probabilities. Self-hosted, with keys whose spend limits hold.",
}

export const viewport: Viewport = { colorScheme: "light dark" }

export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = Theme.parse((await cookies()).get("theme")?.value)
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
