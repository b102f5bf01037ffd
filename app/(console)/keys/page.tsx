import type { Metadata } from "next"
import { EmptyState } from "@/components/ui/empty-state"
import { PageHeader } from "@/components/ui/page-header"
import { TextLink } from "@/components/ui/text-link"
import { requireSession } from "@/lib/auth/session"
import { listKeys } from "@/lib/keys/list-keys"
import { runtime } from "@/lib/runtime"
import { CreateKeyButton, CreateKeyProvider } from "./_components/create-key"
import { KeyFilter } from "./_components/key-filter"
import { KeyTable } from "./_components/key-table"

export const metadata: Metadata = { title: "API keys" }

interface KeysPageProps {
  searchParams: Promise<{ show?: string | string[] }>
}

export default async function KeysPage({ searchParams }: KeysPageProps) {
  const actor = await requireSession("/keys")
  const keys = await listKeys(actor)
  const usable = keys.filter((key) => key.status === "active" || key.status === "limit_reached")
  const hasOwn = keys.some((key) => key.kind === "secret")
  // A filter that leaves none of the user's own keys resets itself.
  const showsAll = (await searchParams).show === "all" || !usable.some((key) => key.kind === "secret")
  return (
    <CreateKeyProvider baseUrl={runtime().env.BASE_URL}>
      <PageHeader title="API keys" action={hasOwn ? <CreateKeyButton /> : undefined}>
        Each key signs API requests and spends from your balance, up to its limit.
      </PageHeader>
      {hasOwn ? (
        <>
          <KeyFilter showsAll={showsAll} usable={usable.length} all={keys.length} />
          <KeyTable keys={showsAll ? keys : usable} />
          <p className="max-w-text pt-6 text-ink-muted text-sm">
            A limit counts requests in flight too, so a refusal can come slightly before the limit is spent. The
            Playground key has no secret: it is what the <TextLink href="/playground">playground</TextLink> spends as.
          </p>
        </>
      ) : (
        <EmptyState title="You haven't created any API keys yet" action={<CreateKeyButton />}>
          A key lets your program send decisions. Give it a daily or lifetime spend limit, and it can never cost more
          than that.
        </EmptyState>
      )}
    </CreateKeyProvider>
  )
}
