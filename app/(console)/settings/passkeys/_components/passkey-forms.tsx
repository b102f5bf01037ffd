import type { ActionResult } from "@/components/form/call-action"
import { FormField } from "@/components/form/form-field"
import type { PasskeySummary } from "@/lib/shared/auth/passkeys"
import { askBrowser } from "../../../_components/confirm/ask-browser"
import { dialogForm } from "../../../_components/form-dialog"
import { addPasskeyAction, removePasskeyAction, renamePasskeyAction, startPasskeyAction } from "../actions"

/** Asks the browser to create a passkey, then adds it under a name. */
async function createPasskey({ name }: { name: string }): Promise<ActionResult<{ id: string }>> {
  const started = await startPasskeyAction({})
  if (!started.ok) return started
  const created = await askBrowser(({ startRegistration }) => startRegistration({ optionsJSON: started.data }))
  if (!created.ok) return created
  const { id, response } = created.data
  const { clientDataJSON, attestationObject, transports = [] } = response
  return addPasskeyAction({ name, id, clientDataJSON, attestationObject, transports })
}

export const addForm = () =>
  dialogForm({
    title: "Add a passkey",
    description:
      "Your browser then asks for your fingerprint, your face, a PIN or a security key. It works for this address of the console only.",
    schema: async () => (await import("@/lib/shared/auth/passkeys")).AddPasskeyInput.pick({ name: true }),
    defaultValues: { name: "" },
    action: createPasskey,
    done: "The passkey was added.",
    submitLabel: "Add passkey",
    pendingLabel: "Waiting for the passkey…",
    fields: (form) => (
      <FormField form={form} name="name" label="Name" hint="Where it is, such as Laptop or Security key." required />
    ),
  })

export const renameForm = ({ id, name }: PasskeySummary) =>
  dialogForm({
    title: "Rename passkey",
    schema: async () => (await import("@/lib/shared/auth/passkeys")).RenamePasskeyInput,
    defaultValues: { id, name },
    action: renamePasskeyAction,
    done: "The passkey was renamed.",
    submitLabel: "Rename",
    pendingLabel: "Renaming…",
    fields: (form) => <FormField form={form} name="name" label="Name" required />,
  })

export const removeForm = ({ id, name }: PasskeySummary) =>
  dialogForm({
    title: <span className="wrap-anywhere">Remove the passkey “{name}”?</span>,
    description:
      "It can no longer confirm changes. To remove it from your device too, delete it in the settings of the device or its password manager.",
    defaultValues: { id },
    action: removePasskeyAction,
    done: "The passkey was removed.",
    submitLabel: "Remove",
    pendingLabel: "Removing…",
    focusAfter: () => document.getElementById("content"),
  })
