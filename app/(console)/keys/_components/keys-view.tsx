import type { ReactNode } from "react"
import { EmptyState } from "@/components/ui/empty-state"
import { TextLink } from "@/components/ui/text-link"
import { getKeyRules } from "@/lib/server/keys/key-rules"
import { listKeys, sampleSpend } from "@/lib/server/keys/read-keys"
import { type AccountReader, hasRight } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import type { SearchParams } from "@/lib/server/usage/search"
import { KeyView, viewKeys } from "@/lib/shared/keys/key-view"
import { labelKeys } from "@/lib/shared/keys/label-keys"
import { CreateKeyButton, KeyDialogs } from "./key-dialogs"
import { KeyList, KeysHeader } from "./key-list"

/** Renders the keys of the actor's account. */
export async function keysView(actor: AccountReader, query: SearchParams): Promise<ReactNode> {
  const [keys, sample, rules] = await Promise.all([
    listKeys(runtime(), actor),
    sampleSpend(runtime(), actor),
    getKeyRules(runtime(), actor),
  ])
  const hasOwn = keys.some((key) => key.kind === "secret")
  return (
    <KeyDialogs
      baseUrl={runtime().env.BASE_URL}
      sample={sample}
      rules={rules}
      mayManage={hasRight(actor, "keys.manage")}
      resume={query.resume === "key"}
    >
      <KeysHeader action={hasOwn ? <CreateKeyButton /> : undefined} />
      {hasOwn ? (
        <KeyList {...viewKeys(keys, KeyView.parse(query))} labels={labelKeys(keys)} />
      ) : actor.type === "operator" ? (
        <EmptyState title="No keys">The account has created no key, so only its playground can spend.</EmptyState>
      ) : (
        <EmptyState title="You haven't created any API keys yet" action={<CreateKeyButton />}>
          Your program needs a key to send requests. Set a daily or lifetime spend limit, and the key can never spend
          more. The <TextLink href="/docs/quickstart">quickstart</TextLink> sends the first request with it.
        </EmptyState>
      )}
    </KeyDialogs>
  )
}
