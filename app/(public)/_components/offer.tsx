import type { ReactNode } from "react"
import { TextLink } from "@/components/ui/text-link"
import { runtime } from "@/lib/server/platform/runtime"
import { formatCount, formatExactUsd, formatPrice } from "@/lib/shared/format"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { usdPerMillion } from "@/lib/shared/money"
import { CEILINGS } from "@/questions/limits"

/** Returns the price of the newest model: "$0.73 per million input tokens". Null while the models cannot be read. */
function priceText(): string | null {
  const model = runtime().catalogue.resolve(ALIAS)
  if (!model) return null
  const price = formatPrice(usdPerMillion(model.pricePico))
  return price.startsWith("$") ? `${price} per million input tokens` : price
}

/** States what a new account pays and gets: the price, the welcome credit and the limits. */
export function Offer() {
  const { WELCOME_CREDIT_USD: welcome, ACCOUNT_RATE: rate } = runtime().env
  const price = priceText()
  return (
    <dl className="flex flex-col gap-4 border-line border-t pt-5">
      {price === null ? null : (
        <Term name="Price">
          {price}. You pay only for answered requests. <TextLink href="/models">See all models</TextLink>
        </Term>
      )}
      {welcome > 0n ? (
        <Term name="Welcome credit">{formatExactUsd(welcome)} for each new account, without a card.</Term>
      ) : null}
      <Term name="Limits">
        {formatCount(rate)} requests per second and {formatCount(CEILINGS.questions)} questions per request. You set a
        spend limit for each key. <TextLink href="/docs/limits">Read about limits</TextLink>
      </Term>
    </dl>
  )
}

function Term({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 sm:grid-cols-[8rem_1fr]">
      <dt className="font-medium">{name}</dt>
      <dd className="max-w-text text-ink-muted tabular-nums">{children}</dd>
    </div>
  )
}
