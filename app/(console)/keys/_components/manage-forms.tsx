import { FormField } from "@/components/form/form-field"
import type { KeySummary } from "@/lib/shared/keys/schema"
import { dialogForm } from "../../_components/form-dialog"
import { changeKeyAction, pauseKeyAction, resumeKeyAction } from "../actions"

const quoted = (verb: string, { name }: KeySummary) => (
  <span className="break-words">
    {verb} “{name}”
  </span>
)

/** Returns the form that renames a key. Its texts stay. */
export const renameForm = (entry: KeySummary) =>
  dialogForm({
    title: quoted("Rename", entry),
    schema: async () => (await import("@/lib/shared/keys/schema")).ChangeKeyInput,
    defaultValues: { id: entry.id, name: entry.name },
    action: changeKeyAction,
    submitLabel: "Rename key",
    pendingLabel: "Renaming…",
    fields: (form) => <FormField form={form} name="name" label="Name" required />,
  })

export const pauseForm = (entry: KeySummary) =>
  dialogForm({
    title: quoted("Pause", entry),
    description: "Requests with a paused key are refused until someone resumes it. Its secret stays the same.",
    defaultValues: { id: entry.id },
    action: pauseKeyAction,
    submitLabel: "Pause key",
    pendingLabel: "Pausing…",
  })

export const resumeForm = (entry: KeySummary) =>
  dialogForm({
    title: quoted("Resume", entry),
    description: "The key works again within two seconds, with the same secret and limit.",
    defaultValues: { id: entry.id },
    action: resumeKeyAction,
    submitLabel: "Resume key",
    pendingLabel: "Resuming…",
  })
