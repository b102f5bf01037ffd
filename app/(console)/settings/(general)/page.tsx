import type { Metadata } from "next"
import { cookies } from "next/headers"
import { CopyButton } from "@/components/ui/copy-button"
import { LinkButton } from "@/components/ui/link-button"
import { type AccountSummary, getAccount } from "@/lib/server/accounts/get-account"
import { listSessions } from "@/lib/server/auth/list-sessions"
import { requireSession } from "@/lib/server/auth/session"
import { formatCount } from "@/lib/shared/format"
import { SessionList } from "../_components/session-list"
import { Setting } from "../_components/setting"
import { ThemeForm } from "../_components/theme-form"
import { Theme } from "../theme"

export const metadata: Metadata = { title: "Settings" }

const perSecond = (count: number) =>
  count === 1 ? "1 request per second" : `${formatCount(count)} requests per second`

export default async function SettingsPage() {
  const actor = await requireSession("/settings")
  const [account, sessions] = await Promise.all([getAccount(actor), listSessions(actor)])
  const theme = Theme.parse((await cookies()).get("theme")?.value)
  return (
    <>
      <Setting title="E-mail" hint="Sign-in links go to this address.">
        <p className="break-all">{actor.email}</p>
      </Setting>
      <Setting title="Account" hint="Tell the operator this id when you ask for help.">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <span className="break-all font-mono text-sm">{account.id}</span>
          <CopyButton text={account.id} size="sm" ariaLabel="Copy the account id" />
        </p>
        <p className="mt-1 text-ink-muted text-sm">
          {account.role === "owner" ? "You own this account." : "You are a developer of this account."}
        </p>
      </Setting>
      <RateLimits account={account} />
      <Setting title="Theme" hint="Kept in this browser.">
        <ThemeForm theme={theme} />
      </Setting>
      <Setting title="Audit log" hint="What happened to keys, billing and sign-ins. Nobody can change it.">
        <LinkButton href="/settings/audit" variant="secondary">
          Open the audit log
        </LinkButton>
      </Setting>
      <SessionList sessions={sessions} />
    </>
  )
}

function RateLimits({ account }: { account: AccountSummary }) {
  return (
    <Setting
      title="Rate limits"
      hint={
        <>
          Over a limit the answer is 429 <code className="font-mono">rate_limited</code>, and nothing is charged.
        </>
      }
    >
      <ul className="flex flex-col gap-1">
        <li>{perSecond(account.requestsPerSecondPerKey)} for each key, the Playground key too.</li>
        <li>{perSecond(account.requestsPerSecond)} for the account, shared by all of its keys.</li>
      </ul>
      <p className="mt-1 text-ink-muted text-sm">
        Windows are one clock second long. The operator can raise your limits.
      </p>
    </Setting>
  )
}
