"use client"
import { useRef } from "react"
import { MenuItem, RowMenu } from "@/components/ui/menu"
import type { KeySummary } from "@/lib/keys/schema"
import { useKeyDialogs } from "./key-dialogs"

/** What can be done with one key. A revoked one can still be copied into a new one. */
export function KeyActions({ entry }: { entry: KeySummary }) {
  const { create, revoke } = useKeyDialogs()
  const trigger = useRef<HTMLButtonElement>(null)
  return (
    <RowMenu label={`Actions for ${entry.name}`} trigger={trigger}>
      <MenuItem onSelect={() => create(entry, trigger.current)}>Duplicate</MenuItem>
      {entry.status === "revoked" ? null : (
        <MenuItem danger onSelect={() => revoke(entry, trigger.current)}>
          Revoke
        </MenuItem>
      )}
    </RowMenu>
  )
}
