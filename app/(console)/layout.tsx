import { headers } from "next/headers"
import type { ReactNode } from "react"
import { LoadAheadProvider } from "@/components/link/load-ahead"
import { SiteFrame } from "@/components/site/site-frame"
import { listOwnAccounts } from "@/lib/server/accounts/account-name"
import { getFirstSteps } from "@/lib/server/accounts/first-steps"
import { isOperator } from "@/lib/server/auth/operator"
import { findSession } from "@/lib/server/auth/session"
import { explainDebt } from "@/lib/server/billing/balance"
import { getRunway } from "@/lib/server/billing/runway"
import { hasRight } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { isAppleAgent } from "@/lib/shared/preferences"
import { AccountGuard } from "./_components/account-guard"
import { BalanceBanner } from "./_components/balance-banner"
import { ConsoleCommands } from "./_components/console-commands"
import { FirstStepsProvider } from "./_components/first-steps/first-steps"
import { Rail } from "./_components/rail"
import { TopBar } from "./_components/top-bar"

/**
 * Renders the frame of the console. It is not a security boundary: each page and each server action checks the session
 * itself. Docs and models are public, so signed-out readers see them in the public frame.
 */
export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const actor = await findSession()
  if (!actor) return <SiteFrame isSignedIn={false}>{children}</SiteFrame>
  const [runway, firstSteps, accounts] = await Promise.all([
    getRunway(runtime(), actor),
    getFirstSteps(runtime(), actor),
    listOwnAccounts(runtime(), actor),
  ])
  const debt = hasRight(actor, "billing.read") ? await explainDebt(runtime(), actor, runway.balanceUsd) : null
  const account = accounts.find(({ isCurrent }) => isCurrent) ?? { id: "", name: "", role: actor.role, isCurrent: true }
  const user = { email: actor.email, role: actor.role, isOperator: isOperator(actor), account, accounts }
  const isApple = isAppleAgent((await headers()).get("user-agent"))
  return (
    <LoadAheadProvider>
      <FirstStepsProvider initial={firstSteps}>
        <ConsoleCommands user={user} isApple={isApple}>
          <AccountGuard accountId={actor.accountId} account={account} />
          <div
            data-account={actor.accountId}
            className="min-h-dvh lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] print:block"
          >
            <Rail user={user} runway={runway} />
            <TopBar user={user} runway={runway} />
            <main
              id="content"
              tabIndex={-1}
              className="mx-auto w-full max-w-page px-4 py-6 outline-none sm:px-8 sm:py-8 print:p-0"
            >
              <BalanceBanner runway={runway} debt={debt} mayPay={hasRight(actor, "billing.pay")} />
              {children}
            </main>
          </div>
        </ConsoleCommands>
      </FirstStepsProvider>
    </LoadAheadProvider>
  )
}
