"use client"
import { RowMenu } from "@/components/ui/row-menu"
import type { KeySummary } from "@/lib/shared/keys/schema"
import { useKeyDialogs } from "./key-dialogs"

/** What can be done with one key. A revoked one can still be copied into a new one. */
export function KeyActions({ entry }: { entry: KeySummary }) {
  const { create, revoke } = useKeyDialogs()
  const duplicateIt = { label: "Duplicate", onSelect: (opener: HTMLElement | null) => create(entry, opener) }
  const revokeIt = { label: "Revoke", isDanger: true, onSelect: (opener: HTMLElement | null) => revoke(entry, opener) }
  return (
    <RowMenu
      label={`Actions for ${entry.name}`}
      actions={entry.status === "revoked" ? [duplicateIt] : [duplicateIt, revokeIt]}
    />
  )
}
