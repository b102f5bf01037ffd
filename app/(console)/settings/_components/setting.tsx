import type { ReactNode } from "react"
import { Support } from "@/components/site/support"
import type { AccountSummary } from "@/lib/server/accounts/get-account"
import { countOf } from "@/lib/shared/format"

interface SettingProps {
  title: string
  hint: ReactNode
  children: ReactNode
}

export function Setting({ title, hint, children }: SettingProps) {
  return (
    <section className="grid gap-x-8 gap-y-3 border-line border-t py-6 md:grid-cols-[minmax(0,20rem)_minmax(0,1fr)]">
      <div>
        <h2 className="font-medium">{title}</h2>
        <p className="text-ink-muted text-sm">{hint}</p>
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  )
}

const perSecond = (count: number) => `${countOf(count, "request")} per second`

export function RateLimits({ account }: { account: AccountSummary }) {
  return (
    <Setting
      title="Rate limits"
      hint={
        <>
          Requests over a limit return 429 <code className="font-mono">rate_limited</code> and are not charged.
        </>
      }
    >
      <ul className="flex flex-col gap-1">
        <li>{perSecond(account.requestsPerSecondPerKey)} for each key, including the Playground key.</li>
        <li>{perSecond(account.requestsPerSecond)} for the account, shared by all of its keys.</li>
      </ul>
      <p className="mt-1 text-ink-muted text-sm">
        Each limit counts the requests of one clock second. To get higher limits, ask <Support />.
      </p>
    </Setting>
  )
}
