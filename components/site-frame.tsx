import type { ReactNode } from "react"
import { Brand } from "./brand"
import { LegalLinks } from "./legal-links"
import { SiteNav } from "./site-nav"
import { LinkButton } from "./ui/link-button"

interface SiteFrameProps {
  /** Chooses the button: "Open console" or "Sign in". */
  isSignedIn: boolean
  children: ReactNode
}

export function SiteFrame({ isSignedIn, children }: SiteFrameProps) {
  return (
    <>
      <header className="border-line border-b print:hidden">
        <div className="mx-auto flex min-h-13 max-w-page flex-wrap items-center gap-x-4 px-4 sm:gap-x-6 sm:px-8">
          <Brand />
          <SiteNav />
          <div className="ml-auto py-2">
            <LinkButton href={isSignedIn ? "/playground" : "/sign-in"} variant="secondary" size="sm">
              {isSignedIn ? "Open console" : "Sign in"}
            </LinkButton>
          </div>
        </div>
      </header>
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto w-full max-w-page px-4 py-8 outline-none sm:px-8 sm:py-12 print:p-0"
      >
        {children}
      </main>
      <LegalLinks className="mx-auto max-w-page px-4 pb-8 sm:px-8 print:hidden" />
    </>
  )
}
