import { FieldError } from "@/components/ui/field"
import { Time } from "@/components/ui/time"
import type { KeySummary } from "@/lib/shared/keys/schema"
import { dialogForm } from "../../_components/form-dialog"
import { revokeKeysAction } from "../actions"

/** Returns the form that revokes keys, which is final. */
export function revokeForm(entries: readonly KeySummary[]) {
  const [first] = entries
  const isOne = entries.length === 1
  return dialogForm({
    title: <span className="break-words">{isOne ? `Revoke “${first?.name}”` : `Revoke ${entries.length} keys`}</span>,
    description: `Anything that uses ${isOne ? "this key" : "these keys"} will stop working.`,
    schema: async () => (await import("@/lib/shared/keys/schema")).KeysInput,
    defaultValues: { ids: entries.map(({ id }) => id) },
    action: revokeKeysAction,
    // The row of a revoked key, with its menu, leaves the list.
    focusAfter: () => document.querySelector<HTMLElement>("[data-create-key]"),
    dismissLabel: isOne ? "Keep key" : "Keep keys",
    submitLabel: isOne ? "Revoke key" : `Revoke ${entries.length} keys`,
    pendingLabel: "Revoking…",
    isFinal: true,
    fields: ({ formState: { errors } }) => (
      <>
        {isOne && first ? <LastUse entry={first} /> : <Entries entries={entries} />}
        <div role="alert">
          <FieldError>{errors.ids?.message}</FieldError>
        </div>
      </>
    ),
  })
}

function Entries({ entries }: { entries: readonly KeySummary[] }) {
  return (
    <ul className="max-h-48 overflow-y-auto rounded-md border border-line px-3 py-2">
      {entries.map((entry) => (
        <li key={entry.id} className="py-1">
          <span className="break-words font-medium">{entry.name}</span>
          <LastUse entry={entry} />
        </li>
      ))}
    </ul>
  )
}

function LastUse({ entry: { masked, lastUsedAt } }: { entry: KeySummary }) {
  const mask = <span className="font-mono text-sm">{masked}</span>
  return (
    <p>
      {lastUsedAt ? (
        <>
          {mask} was last used <Time at={lastUsedAt} />.
        </>
      ) : (
        <>{mask} has never been used.</>
      )}
    </p>
  )
}
