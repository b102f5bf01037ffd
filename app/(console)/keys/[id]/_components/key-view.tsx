import type { ReactNode } from "react"
import { KeyBadge } from "@/components/key-badge"
import { BackLink } from "@/components/ui/page-header"
import { getKeyRules } from "@/lib/server/keys/key-rules"
import { sampleSpend } from "@/lib/server/keys/read-keys"
import { type AccountReader, hasRight } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { listDailySpend } from "@/lib/server/usage/list-daily-spend"
import type { KeySummary } from "@/lib/shared/keys/schema"
import { DuplicateKeyButton, KeyDialogs, ReplaceKeyButton, RevokeKeyButton } from "../../_components/key-dialogs"
import { KeyFacts } from "./key-facts"
import { KeyRefusal } from "./key-refusal"
import { KeyRestrictions } from "./key-restrictions"
import { KeyUsage } from "./key-usage"
import { ManageKey } from "./manage-key"
import { OldSecret } from "./old-secret"

const DAYS = 30

/** Renders a key of the actor's account. */
export async function keyView(actor: AccountReader, key: KeySummary): Promise<ReactNode> {
  const [spend, sample, rules] = await Promise.all([
    listDailySpend(runtime(), actor, { days: DAYS, keyId: key.id }),
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
