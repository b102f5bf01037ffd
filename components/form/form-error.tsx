import { Alert } from "@/components/ui/alert"
import type { ActionError } from "./action-result"

/** Why the form as a whole was refused; read out as it appears. */
export function FormError({ error }: { error: ActionError | null }) {
  if (!error) return null
  return (
    <Alert tone="danger" role="alert" title={error.message}>
      {error.requestId ? (
        <>
          Request <span className="font-mono">{error.requestId}</span>
        </>
      ) : null}
    </Alert>
  )
}
