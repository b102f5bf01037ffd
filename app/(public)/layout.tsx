import type { ReactNode } from "react"
import { Brand } from "@/components/brand"
import { LinkButton } from "@/components/ui/link-button"
import { findSession } from "@/lib/auth/session"
import { PublicNav } from "./_components/public-nav"

/** The frame of the pages that need no account. */
export default async function PublicLayout({ children }: { children: ReactNode }) {
  const actor = await findSession()
  return (
    <>
      <header className="border-line border-b">
        <div className="mx-auto flex min-h-13 max-w-page flex-wrap items-center gap-x-4 px-4 sm:gap-x-6 sm:px-8">
          <Brand />
          <PublicNav />
          <div className="ml-auto py-2">
            {actor ? (
              <LinkButton href="/playground" variant="secondary" size="sm">
                Open console
              </LinkButton>
            ) : (
              <LinkButton href="/sign-in" variant="secondary" size="sm">
                Sign in
              </LinkButton>
            )}
          </div>
        </div>
      </header>
      <main id="content" className="mx-auto w-full max-w-page px-4 py-8 sm:px-8 sm:py-12">
        {children}
      </main>
    </>
  )
}
