"use client"
import { useState } from "react"
import { FormError } from "@/components/form/form-error"
import { useActionForm } from "@/components/form/use-action-form"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { mapKeyTexts } from "@/lib/shared/keys/key-texts"
import type { KeySummary } from "@/lib/shared/keys/schema"
import { KeyTextFields } from "../../_components/key-text-fields"
import { changeKeyAction, pauseKeyAction, resumeKeyAction } from "../../actions"

/** Changes the name and the texts of a key, and pauses or resumes it. */
export function ManageKey({ entry }: { entry: KeySummary }) {
  return (
    <section aria-labelledby="manage-title" className="flex flex-col gap-4 border-line border-t pt-5">
      <h2 id="manage-title" className="font-medium">
        Manage this key
      </h2>
      <ChangeKey entry={entry} />
      <PauseKey entry={entry} />
    </section>
  )
}

function ChangeKey({ entry }: { entry: KeySummary }) {
  const [isSaved, setIsSaved] = useState(false)
  const { form, submit, formError, pending } = useActionForm({
    schema: async () => (await import("@/lib/shared/keys/schema")).ChangeKeyInput,
    defaultValues: { id: entry.id, name: entry.name, ...mapKeyTexts((text) => entry[text] ?? "") },
    action: changeKeyAction,
    onDone: () => setIsSaved(true),
  })
  const { errors } = form.formState
  const onChange = () => setIsSaved(false)
  return (
    <form onSubmit={submit} noValidate className="flex max-w-lg flex-col gap-3">
      <FormError error={formError} />
      <Field label="Name" error={errors.name?.message} required>
        <Input {...form.register("name", { onChange })} autoComplete="off" />
      </Field>
      <KeyTextFields register={(text) => form.register(text, { onChange })} errors={errors} />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" variant="secondary" pending={pending} pendingLabel="Saving…">
          Save changes
        </Button>
        <span role="status" className="text-ink-muted text-sm">
          {isSaved ? "Saved." : null}
        </span>
      </div>
    </form>
  )
}

function PauseKey({ entry: { id, status } }: { entry: KeySummary }) {
  const isPaused = status === "paused"
  const { submit, formError, pending } = useActionForm({
    schema: async () => (await import("@/lib/shared/keys/schema")).KeyInput,
    defaultValues: { id },
    action: isPaused ? resumeKeyAction : pauseKeyAction,
  })
  return (
    <form onSubmit={submit} className="flex max-w-lg flex-col items-start gap-2">
      <FormError error={formError} />
      <Button type="submit" variant="secondary" pending={pending} pendingLabel={isPaused ? "Resuming…" : "Pausing…"}>
        {isPaused ? "Resume key" : "Pause key"}
      </Button>
      <p className="text-ink-muted text-sm">
        {isPaused
          ? "The key works again at once, with the same secret and limit."
          : "Requests with a paused key are refused until you resume it. Its secret stays the same."}
      </p>
    </form>
  )
}
