import { CopyButton } from "@/components/ui/copy-button"
import { Fact } from "@/components/ui/fact"
import { Time } from "@/components/ui/time"
import { KEY_ROUTES } from "@/lib/shared/keys/key-routes"
import { KEY_TEXT_NAMES, KEY_TEXTS } from "@/lib/shared/keys/key-texts"
import type { KeySummary } from "@/lib/shared/keys/schema"
import { KeySpend } from "../../_components/key-spend"

const muted = (text: string) => <span className="text-ink-muted">{text}</span>

export function KeyFacts({ entry }: { entry: KeySummary }) {
  const { id, masked, period, lastUsedAt, createdAt, createdBy, expiresAt } = entry
  const routes = entry.routes.map((route) => KEY_ROUTES[route])
  const restrictions = [entry.models, routes, entry.networks]
    .filter((texts) => texts.length > 0)
    .map((texts) => texts.join(", "))
  return (
    <section aria-label="Key" className="border-line border-y py-5">
      <dl className="grid gap-x-8 gap-y-5 sm:grid-cols-2 lg:grid-cols-3">
        <Fact label={period === null ? "Spent since creation" : "Used this period"}>
          <KeySpend entry={entry} />
        </Fact>
        <Fact label="Spend limit" hint="Cannot be changed.">
          {period === null ? "None" : period === "daily" ? "Daily, resets at 00:00 UTC" : "Lifetime"}
        </Fact>
        <Fact label="Last used">{lastUsedAt ? <Time at={lastUsedAt} /> : muted("Never")}</Fact>
        <Fact label="Created">
          <Time at={createdAt} as="minute" /> {muted("UTC")}
          {createdBy ? (
            <span className="block break-all text-ink-muted text-sm">
              by {createdBy.email}
              {createdBy.isMember ? "" : ", who left the account"}
            </span>
          ) : null}
        </Fact>
        <Fact label="Expires">
          {expiresAt ? (
            <>
              <Time at={expiresAt} as="minute" /> {muted("UTC")}
            </>
          ) : (
            muted("Never")
          )}
        </Fact>
        <Fact label={masked ? "Id and shortened key" : "Id"}>
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="break-all font-mono text-sm">{id}</span>
            <CopyButton text={id} size="sm" variant="quiet" ariaLabel="Copy the key's id" />
          </span>
          {masked ? <span className="block font-mono text-ink-muted text-sm">{masked}</span> : null}
        </Fact>
        {restrictions.length > 0 ? (
          <Fact label="Restricted to">
            {restrictions.map((text) => (
              <span key={text} className="block break-words">
                {text}
              </span>
            ))}
          </Fact>
        ) : null}
        {entry.tags.length > 0 ? (
          <Fact label="Tags">
            <span className="break-all">{entry.tags.join(" ")}</span>
          </Fact>
        ) : null}
        {KEY_TEXT_NAMES.filter((name) => entry[name] !== null).map((name) => (
          <Fact key={name} label={KEY_TEXTS[name].label}>
            <span className="break-words">{entry[name]}</span>
          </Fact>
        ))}
      </dl>
    </section>
  )
}
