import type { Metadata } from "next"
import { EmptyState } from "@/components/ui/empty-state"
import { LinkButton } from "@/components/ui/link-button"
import { TextLink } from "@/components/ui/text-link"
import { requireSession } from "@/lib/server/auth/session"
import { listKeys, sampleSpend } from "@/lib/server/keys/read-keys"
import { runtime } from "@/lib/server/platform/runtime"
import { KeyView, keyViewHref, type ViewedKeys, viewKeys } from "@/lib/shared/keys/key-view"
import { CreateKeyButton, KeyDialogs } from "../_components/key-dialogs"
import { KeyFilter } from "../_components/key-filter"
import { KeySearch } from "../_components/key-search"
import { KeyTable } from "../_components/key-table"
import { KeysHeader } from "../_components/keys-header"

export const metadata: Metadata = { title: "API keys" }

interface KeysPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function KeysPage({ searchParams }: KeysPageProps) {
  const actor = await requireSession("/keys")
  const [keys, sample] = await Promise.all([listKeys(actor), sampleSpend(actor)])
  const hasOwn = keys.some((key) => key.kind === "secret")
  return (
    <KeyDialogs baseUrl={runtime().env.BASE_URL} sample={sample}>
      <KeysHeader action={hasOwn ? <CreateKeyButton /> : undefined} />
      {hasOwn ? (
        <KeyList {...viewKeys(keys, KeyView.parse(await searchParams))} />
      ) : (
        <EmptyState title="You haven't created any API keys yet" action={<CreateKeyButton />}>
          A key lets your program send decisions. Give it a daily or lifetime spend limit, and it can never cost more
          than that.
        </EmptyState>
      )}
    </KeyDialogs>
  )
}

function KeyList({ rows, view, counts }: ViewedKeys) {
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 pb-3">
        <KeyFilter view={view} counts={counts} />
        <KeySearch view={view} />
      </div>
      {rows.length > 0 ? (
        <KeyTable keys={rows} view={view} />
      ) : (
        <EmptyState
          title="No key matches"
          action={
            <LinkButton href={keyViewHref(view, { q: "", show: "all" })} variant="secondary">
              Show all keys
            </LinkButton>
          }
        >
          Nothing of “{view.q}” is in the name, the mask or the id of a key that is shown here.
        </EmptyState>
      )}
      <p className="max-w-text pt-6 text-ink-muted text-sm">
        A limit counts requests in flight too, so a refusal can come slightly before the limit is spent. The Playground
        key has no secret: it is what the <TextLink href="/playground">playground</TextLink> spends as.
      </p>
    </>
  )
}
