import type { ActionResult } from "@/components/form/call-action"
import type { ConfirmedVerb } from "@/lib/shared/auth/confirmations"
import { confirmByPasskeyAction, startPasskeyConfirmationAction } from "./actions"
import { askBrowser } from "./ask-browser"

/** Asks the browser for a passkey of the user, then confirms the scope of a verb with it. */
export async function confirmWithPasskey(verb: ConfirmedVerb): Promise<ActionResult<{ confirmed: true }>> {
  const started = await startPasskeyConfirmationAction({ verb })
  if (!started.ok) return started
  const used = await askBrowser(({ startAuthentication }) => startAuthentication({ optionsJSON: started.data }))
  if (!used.ok) return used
  const { id, response } = used.data
  const { clientDataJSON, authenticatorData, signature } = response
  return confirmByPasskeyAction({ verb, id, clientDataJSON, authenticatorData, signature })
}
