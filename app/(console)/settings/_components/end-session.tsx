"use client"
import { RowAction } from "@/components/form/row-action"
import { endSessionAction } from "../actions"

export function EndSession({ id, name }: { id: string; name: string }) {
  return (
    <RowAction
      id={id}
      schema={async () => (await import("@/lib/shared/auth/schema")).EndSessionInput}
      action={endSessionAction}
      label={`Sign out ${name}`}
      pendingLabel="Signing out…"
      focusId="sessions"
    >
      Sign out
    </RowAction>
  )
}
