import { headers } from "next/headers"
import { unstable_rethrow } from "next/navigation"
import type { ReactNode } from "react"
import { LoadAheadProvider } from "@/components/link/load-ahead"
import { PageSlot } from "@/components/link/page-slot"
import { SiteFrame } from "@/components/site/site-frame"
import { ToastHost } from "@/components/ui/toast-host"
import { listOwnAccounts } from "@/lib/server/accounts/account-name"
import { getFirstSteps } from "@/lib/server/accounts/first-steps"
import { operatorRoleOf } from "@/lib/server/auth/operator"
import { hasPasskey as findPasskey } from "@/lib/server/auth/passkeys/own-passkeys"
import { findSession } from "@/lib/server/auth/session"
import { explainDebt } from "@/lib/server/billing/balance"
import { getRunway } from "@/lib/server/billing/runway"
import { hasRight } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { isAppleAgent } from "@/lib/shared/preferences"
import { AccountGuard } from "./_components/account-guard"
import { BalanceBanner } from "./_components/balance-banner"
import { PasskeyProvider } from "./_components/confirm/passkey-provider"
import { ConsoleCommands } from "./_components/console-commands"
import { FirstStepsProvider } from "./_components/first-steps/first-steps"
import { FrameRetry } from "./_components/frame-retry"
import { Rail } from "./_components/rail"
import { TopBar } from "./_components/top-bar"

/** What the frame shows while the database is unavailable. */
const NOTHING_KNOWN = {
  accountId: undefined,
  user: null,
  runway: null,
  debt: null,
  firstSteps: null,
  mayPay: false,
  hasPasskey: false,
}

/** Returns what the frame shows of the user; null for a visitor. */
async function readFrame() {
  const actor = await findSession()
  if (!actor) return null
  const [runway, firstSteps, accounts, hasPasskey] = await Promise.all([
    getRunway(runtime(), actor),
    getFirstSteps(runtime(), actor),
    listOwnAccounts(runtime(), actor),
    findPasskey(runtime(), actor),
  ])
  const debt = hasRight(actor, "billing.read") ? await explainDebt(runtime(), actor, runway.balanceUsd) : null
  const account = accounts.find(({ isCurrent }) => isCurrent) ?? { id: "", name: "", role: actor.role, isCurrent: true }
  const user = { email: actor.email, role: actor.role, isOperator: operatorRoleOf(actor) !== null, account, accounts }
  const mayPay = hasRight(actor, "billing.pay")
  return { accountId: actor.accountId, user, runway, debt, firstSteps, mayPay, hasPasskey }
}

/** Keeps the menu around an error page. The page itself fails for the same reason, unless it needs no database. */
function withoutDatabase(cause: unknown) {
  unstable_rethrow(cause)
  runtime().log.error("The frame of the console could not be loaded", { event: "console.frame_failed", cause })
  return NOTHING_KNOWN
}

/**
 * Renders the frame of the console. It is not a security boundary: each page and each server action checks the session
 * itself. Docs and models are public, so signed-out readers see them in the public frame.
 */
export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const frame = await readFrame().catch(withoutDatabase)
  if (!frame) return <SiteFrame isSignedIn={false}>{children}</SiteFrame>
  const { accountId, user, runway, debt, firstSteps, mayPay, hasPasskey } = frame
  const isApple = isAppleAgent((await headers()).get("user-agent"))
  return (
    <LoadAheadProvider>
      <PasskeyProvider hasPasskey={hasPasskey}>
        <FirstStepsProvider initial={firstSteps}>
          <ConsoleCommands user={user} isApple={isApple}>
            {user ? <AccountGuard accountId={accountId} account={user.account} /> : <FrameRetry />}
            <div data-account={accountId} className="min-h-dvh lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] print:block">
              <Rail user={user} runway={runway} />
              <TopBar user={user} runway={runway} />
              <main
                id="content"
                tabIndex={-1}
                // A page that fills the window shares it with the banner.
                className="mx-auto w-full max-w-page px-4 py-6 outline-none sm:px-8 sm:py-8 lg:has-[[data-fills]]:flex lg:has-[[data-fills]]:h-dvh lg:has-[[data-fills]]:flex-col lg:has-[[data-fills]]:py-4 print:p-0"
              >
                {runway ? <BalanceBanner runway={runway} debt={debt} mayPay={mayPay} /> : null}
                <PageSlot>{children}</PageSlot>
              </main>
            </div>
            <ToastHost />
          </ConsoleCommands>
        </FirstStepsProvider>
      </PasskeyProvider>
    </LoadAheadProvider>
  )
}
