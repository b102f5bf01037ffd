import { Support } from "@/components/site/support"
import type { AccountSummary } from "@/lib/server/accounts/get-account"
import { countOf } from "@/lib/shared/format"
import { Setting } from "./setting"

const perSecond = (count: number) => `${countOf(count, "request")} per second`

export function RateLimits({ account }: { account: AccountSummary }) {
  return (
    <Setting
      id="limits"
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
