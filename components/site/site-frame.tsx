import { headers } from "next/headers"
import type { ReactNode } from "react"
import { Link } from "@/components/link/link"
import { PageSlot } from "@/components/link/page-slot"
import { isAppleAgent } from "@/lib/shared/preferences"
import { SearchIconButton } from "../command-menu/open-button"
import { LinkButton } from "../ui/link-button"
import { Brand } from "./brand"
import { LegalLinks } from "./legal-links"
import { SiteCommands } from "./site-commands"
import { SiteNav } from "./site-nav"

interface SiteFrameProps {
  /** Chooses the button: "Open console" or "Sign in". */
  isSignedIn: boolean
  children: ReactNode
}

export async function SiteFrame({ isSignedIn, children }: SiteFrameProps) {
  const isApple = isAppleAgent((await headers()).get("user-agent"))
  return (
    <SiteCommands isSignedIn={isSignedIn} isApple={isApple}>
      <header className="border-line border-b print:hidden">
        <div className="mx-auto flex min-h-13 max-w-page flex-wrap items-center gap-x-4 px-4 sm:gap-x-6 sm:px-8">
          <Brand />
          <SiteNav />
          <div className="ml-auto flex items-center gap-1 py-2">
            <SearchIconButton />
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
        <PageSlot>{children}</PageSlot>
      </main>
      <footer className="mx-auto flex max-w-page flex-wrap gap-x-4 px-4 pb-8 text-ink-muted text-sm sm:px-8 print:hidden">
        <Link
          href="/status"
          prefetch={false}
          className="inline-flex items-center underline decoration-1 decoration-line-strong underline-offset-2 hover:text-ink pointer-coarse:min-h-11"
        >
          Status
        </Link>
        <a
          href="/third-party-licenses.txt"
          className="inline-flex items-center underline decoration-1 decoration-line-strong underline-offset-2 hover:text-ink pointer-coarse:min-h-11"
        >
          Open-source licenses
        </a>
        <LegalLinks />
      </footer>
    </SiteCommands>
  )
}
