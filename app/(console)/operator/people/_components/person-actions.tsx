"use client"
import type { UseFormReturn } from "react-hook-form"
import type { z } from "zod"
import { download, fileName } from "@/components/download"
import { FormField } from "@/components/form/form-field"
import { Button } from "@/components/ui/button"
import { countOf } from "@/lib/shared/format"
import type { ActForPersonForm } from "@/lib/shared/operator/forms"
import { dialogForm, preloadFormDialog, useFormDialog } from "../../../_components/form-dialog"
import { NOTE_STAYS } from "../../_components/note-stays"
import { endPersonSessionsAction, erasePersonAction, exportPersonAction, removePersonAction } from "../actions"

/** What the forms of all acts share. */
const actOn = (email: string) => ({
  schema: async () => (await import("@/lib/shared/operator/forms")).ActForPersonForm,
  defaultValues: { email, note: "" },
})

const endForm = (email: string) =>
  dialogForm({
    ...actOn(email),
    title: "End every session",
    description: `${email} is signed out of every browser, and can sign in again.`,
    action: endPersonSessionsAction,
    done: ({ ended }) => `${countOf(ended, "session")} ended.`,
    submitLabel: "End sessions",
    pendingLabel: "Ending…",
    fields: (form) => <NoteField form={form} />,
  })

const removeForm = (email: string) =>
  dialogForm({
    ...actOn(email),
    title: "Remove from every account",
    description: `${email} leaves every account that has other members, and gets a mail for each. What the person created there keeps working until an owner ends it.`,
    action: removePersonAction,
    done: ({ removed }) => `The person was removed from ${countOf(removed, "account")}.`,
    isDanger: true,
    submitLabel: "Remove",
    pendingLabel: "Removing…",
    fields: (form) => <NoteField form={form} />,
  })

const exportForm = (email: string) =>
  dialogForm({
    ...actOn(email),
    title: "Export the person's data",
    description: `Saves what the service stores about ${email} as a JSON file. What belongs to an account, such as its ledger, is in that account's own export.`,
    action: exportPersonAction,
    onDone: (text) => download(fileName(email, ".json"), new Blob([text], { type: "application/json" })),
    done: "The data was exported.",
    submitLabel: "Export",
    pendingLabel: "Exporting…",
    fields: (form) => <NoteField form={form} />,
  })

const eraseForm = (email: string) =>
  dialogForm({
    ...actOn(email),
    title: "Delete this person",
    description: `The address, sessions and IP addresses of ${email} are erased in every account, and accounts that nobody else is in are closed. Their credit is not paid back: refund it first if you owe it.`,
    action: erasePersonAction,
    done: ({ isMailed }) =>
      isMailed
        ? "The person was deleted. A mail confirms that."
        : "The person was deleted. No mail was sent: there was no account.",
    isFinal: true,
    submitLabel: "Delete person",
    pendingLabel: "Deleting…",
    fields: (form) => <NoteField form={form} />,
  })

type Form = UseFormReturn<z.input<typeof ActForPersonForm>, unknown, z.output<typeof ActForPersonForm>>

function NoteField({ form }: { form: Form }) {
  return (
    <FormField
      form={form}
      name="note"
      label="Note"
      hint={`The reason, such as the number of the letter. Only operators see it. ${NOTE_STAYS}`}
      required
    />
  )
}

/** Renders what an operator can do for a person. */
export function PersonActions({ email }: { email: string }) {
  const { show, dialog } = useFormDialog()
  const buttons = [
    { label: "End every session", open: () => show(endForm(email)) },
    { label: "Remove from every account", open: () => show(removeForm(email)) },
    { label: "Export data", open: () => show(exportForm(email)) },
    { label: "Delete person", open: () => show(eraseForm(email)) },
  ]
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {buttons.map(({ label, open }) => (
          <Button key={label} variant="secondary" {...preloadFormDialog} onClick={open}>
            {label}
          </Button>
        ))}
      </div>
      {dialog}
    </>
  )
}
