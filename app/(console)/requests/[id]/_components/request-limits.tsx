import { Fact } from "@/components/ui/fact"
import { Money } from "@/components/ui/money"
import { Section } from "@/components/ui/section"
import type { StoredLimits } from "@/lib/server/usage/request-details"
import { formatCount, formatExactTime } from "@/lib/shared/format"

/** Shows the limits of the key and the account when a request was refused. */
export function RequestLimits({ limits }: { limits: StoredLimits }) {
  const { rate, keyLimitUsd, keyResetsAt, requiredUsd, availableUsd } = limits
  if (!rate && keyLimitUsd === null && requiredUsd === null) return null
  return (
    <Section id="limits" title="Limits at that moment">
      <dl className="grid grid-cols-2 gap-x-8 gap-y-5 lg:grid-cols-4">
        {rate ? (
          <>
            <Fact label="Rate of the key">{perSecond(rate.perKey)}</Fact>
            <Fact label="Rate of the account">{perSecond(rate.perAccount)}</Fact>
            <Fact label="Used in that second">
              {formatCount(rate.counted)} of {formatCount(rate.limit)}
            </Fact>
          </>
        ) : null}
        {keyLimitUsd === null ? null : (
          <Fact label="Spend limit of the key" hint={resetOf(keyResetsAt)}>
            <Money usd={keyLimitUsd} as="exact" />
          </Fact>
        )}
        {requiredUsd === null ? null : (
          <Fact label="Maximum cost of the request">
            <Money usd={requiredUsd} as="exact" />
          </Fact>
        )}
        {availableUsd === null ? null : (
          <Fact label="Available balance">
            <Money usd={availableUsd} as="exact" />
          </Fact>
        )}
      </dl>
    </Section>
  )
}

const perSecond = (count: number): string => `${formatCount(count)} requests per second`

const resetOf = (at: string | null): string =>
  at === null ? "A lifetime limit" : `Next reset: ${formatExactTime(new Date(at))}`
