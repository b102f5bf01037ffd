import type { ReactNode } from "react"
import { Brand } from "@/components/site/brand"
import { LegalLinks } from "@/components/site/legal-links"

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-md flex-col px-5 py-8 sm:py-16">
      <header>
        <Brand />
      </header>
      <main id="content" className="flex flex-col gap-6 pt-12 sm:pt-16">
        {children}
      </main>
      <LegalLinks className="mt-auto pt-12" />
    </div>
  )
}
