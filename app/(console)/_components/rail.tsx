import { SearchButton } from "@/components/command-menu/open-button"
import { Brand } from "@/components/site/brand"
import { LegalLinks } from "@/components/site/legal-links"
import type { Runway } from "@/lib/server/billing/runway"
import { AccountMenu } from "./account-menu"
import { FirstStepsCard } from "./first-steps/first-steps-card"
import { Balance, type FrameUser, NavLinks } from "./menu"

interface RailProps {
  user: FrameUser | null
  runway: Runway | null
}

/** Renders the side bar of screens from 1024 px. Narrower ones show `TopBar`. */
export function Rail({ user, runway }: RailProps) {
  return (
    <aside className="sticky top-0 flex h-dvh flex-col gap-5 overflow-y-auto *:shrink-0 border-line border-r px-4 py-5 max-lg:hidden print:hidden">
      <div className="flex flex-col gap-1">
        <div className="px-2.5">
          <Brand />
        </div>
        {user ? <AccountMenu user={user} /> : null}
      </div>
      <SearchButton />
      <NavLinks user={user} />
      <div className="mt-auto flex flex-col gap-3 px-2.5">
        <FirstStepsCard />
        {user && runway ? <Balance user={user} runway={runway} /> : null}
        <LegalLinks />
      </div>
    </aside>
  )
}
