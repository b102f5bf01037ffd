"use client"
import { useActionForm } from "@/components/form/use-action-form"
import { Button } from "@/components/ui/button"
import { endSessionAction } from "../actions"

export function EndSession({ id, name }: { id: string; name: string }) {
  const { submit, formError, pending } = useActionForm({
    schema: async () => (await import("@/lib/shared/auth/schema")).EndSessionInput,
    defaultValues: { id },
    action: endSessionAction,
    // The row is removed together with the button that has the focus.
    onDone: () => document.getElementById("sessions")?.focus(),
  })
  return (
    <form onSubmit={submit} className="inline-flex flex-wrap items-center justify-end gap-2">
      {formError ? (
        <span role="alert" className="whitespace-normal text-danger text-sm">
          {formError.message}
        </span>
      ) : null}
      <Button
        type="submit"
        variant="secondary"
        size="sm"
        aria-label={`Sign out ${name}`}
        pending={pending}
        pendingLabel="Signing out…"
      >
        Sign out
      </Button>
    </form>
  )
}
