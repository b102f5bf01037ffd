"use client"
import { usePathname } from "next/navigation"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { LinkButton } from "@/components/ui/link-button"
import type { ActionError } from "./call-action"

/** Shows the error of a whole form. Links to sign-in when the session has ended, and offers to reload after an account switch. */
export function FormError({ error }: { error: ActionError | null }) {
  const path = usePathname()
  if (!error) return null
  const action =
    error.code === "signed_out" ? (
      <LinkButton href={`/sign-in?next=${encodeURIComponent(path)}`} variant="secondary" size="sm">
        Sign in
      </LinkButton>
    ) : error.code === "account_switched" ? (
      <Button variant="secondary" size="sm" onClick={() => window.location.reload()}>
        Reload page
      </Button>
    ) : null
  return (
    <Alert tone="danger" role="alert" title={error.message} action={action}>
      {error.requestId ? (
        <>
          Request <span className="font-mono">{error.requestId}</span>
        </>
      ) : null}
    </Alert>
  )
}
