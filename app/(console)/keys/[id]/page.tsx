import type { Metadata } from "next"
import { notFound, redirect } from "next/navigation"
import { KeyBadge } from "@/components/key-badge"
import { BackLink } from "@/components/ui/page-header"
import { openPath } from "@/lib/server/auth/return-path"
import { requireSession } from "@/lib/server/auth/session"
import { getKeyRules } from "@/lib/server/keys/key-rules"
import { findAccountOfKey, findKey, sampleSpend } from "@/lib/server/keys/read-keys"
import { hasRight, type UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { listDailySpend } from "@/lib/server/usage/list-daily-spend"
import type { KeySummary } from "@/lib/shared/keys/schema"
import { DuplicateKeyButton, KeyDialogs, ReplaceKeyButton, RevokeKeyButton } from "../_components/key-dialogs"
import { KeyFacts } from "./_components/key-facts"
import { KeyRefusal } from "./_components/key-refusal"
import { KeyRestrictions } from "./_components/key-restrictions"
import { KeyUsage } from "./_components/key-usage"
import { ManageKey } from "./_components/manage-key"
import { OldSecret } from "./_components/old-secret"

export const metadata: Metadata = { title: "API key" }

const DAYS = 30

export default async function KeyPage({ params }: PageProps<"/keys/[id]">) {
  const { id } = await params
  const actor = await requireSession("/keys/[id]", `/keys/${id}`)
  const key = (await findKey(runtime(), actor, id)) ?? (await openOtherAccount(actor, id))
  const [spend, sample, rules] = await Promise.all([
    listDailySpend(runtime(), actor, { days: DAYS, keyId: id }),
    sampleSpend(runtime(), actor),
    getKeyRules(runtime(), actor),
  ])
  const mayManage = hasRight(actor, "keys.manage")
  return (
    <KeyDialogs baseUrl={runtime().env.BASE_URL} sample={sample} rules={rules} mayManage={mayManage}>
      <KeyHead entry={key} />
      <div className="flex flex-col gap-8">
        <KeyRefusal entry={key} />
        {key.oldSecret ? <OldSecret entry={key} old={key.oldSecret} mayManage={mayManage} /> : null}
        <KeyFacts entry={key} />
        <KeyUsage spend={spend} days={DAYS} keyId={key.id} />
        {mayManage && key.kind === "secret" && key.status !== "revoked" ? (
          <>
            <ManageKey entry={key} />
            <KeyRestrictions entry={key} models={[...new Set([...runtime().catalogue.callableIds(), ...key.models])]} />
          </>
        ) : null}
      </div>
    </KeyDialogs>
  )
}

/** Redirects to the page that offers to switch when the key is in another account of the user. Otherwise responds with 404. */
async function openOtherAccount(actor: UserActor, id: string): Promise<never> {
  const accountId = await findAccountOfKey(runtime(), actor, id)
  return accountId ? redirect(openPath(accountId, `/keys/${id}`)) : notFound()
}

function KeyHead({ entry }: { entry: KeySummary }) {
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4 pb-6">
      <div className="min-w-0 flex-1 basis-64">
        <BackLink href="/keys">API keys</BackLink>
        <h1 className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold text-xl">
          <span className="min-w-0 break-words">{entry.name}</span>
          <KeyBadge entry={entry} />
        </h1>
        <p className="mt-1 max-w-text text-ink-muted">
          {entry.kind === "playground"
            ? "Runs in the playground are charged to this key. It has no secret and no limit, and all members share it."
            : "The spend limit of this key, what it has spent, and when it was last used."}
        </p>
      </div>
      {entry.kind === "secret" ? (
        <div className="flex flex-wrap gap-2">
          <DuplicateKeyButton entry={entry} />
          {entry.status === "revoked" || entry.status === "expired" ? null : <ReplaceKeyButton entry={entry} />}
          {entry.status === "revoked" ? null : <RevokeKeyButton entry={entry} />}
        </div>
      ) : null}
    </header>
  )
}
