"use client"
import { useAction } from "@/components/form/call-action"
import { FormField } from "@/components/form/form-field"
import { SaveForm } from "@/components/form/save-form"
import { Button } from "@/components/ui/button"
import { KEY_TEXT_FIELDS, KEY_TEXT_NAMES, mapKeyTexts } from "@/lib/shared/keys/key-texts"
import type { KeySummary } from "@/lib/shared/keys/schema"
import { TAGS_FIELD } from "@/lib/shared/tags/tags"
import { ConfirmOrError } from "../../../_components/confirm/confirm-or-error"
import { changeKeyAction, pauseKeyAction, resumeKeyAction } from "../../actions"

/** Changes the name, the texts and the tags of a key, and pauses or resumes it. */
export function ManageKey({ entry }: { entry: KeySummary }) {
  return (
    <section aria-labelledby="manage-title" className="flex flex-col gap-4 border-line border-t pt-5">
      <h2 id="manage-title" className="font-semibold text-lg">
        Manage this key
      </h2>
      <SaveForm
        schema={async () => (await import("@/lib/shared/keys/schema")).ChangeKeyInput}
        defaultValues={{
          id: entry.id,
          name: entry.name,
          tags: entry.tags.join(" "),
          ...mapKeyTexts((text) => entry[text] ?? ""),
        }}
        action={changeKeyAction}
        label="Save changes"
        className="max-w-lg"
        fields={(form) => (
          <>
            <FormField form={form} name="name" label="Name" required />
            {KEY_TEXT_NAMES.map((name) => (
              <FormField key={name} form={form} name={name} {...KEY_TEXT_FIELDS[name]} />
            ))}
            <FormField form={form} name="tags" {...TAGS_FIELD} />
          </>
        )}
      />
      <PauseKey entry={entry} />
    </section>
  )
}

function PauseKey({ entry: { id, status } }: { entry: KeySummary }) {
  const isPaused = status === "paused"
  const { run, error, pending } = useAction(isPaused ? resumeKeyAction : pauseKeyAction)
  const label = isPaused ? "Resume key" : "Pause key"
  return (
    <div className="flex max-w-lg flex-col items-start gap-2">
      <ConfirmOrError error={error} submitLabel={label} />
      <Button
        variant="secondary"
        pending={pending}
        pendingLabel={isPaused ? "Resuming…" : "Pausing…"}
        onClick={() => run({ id })}
      >
        {label}
      </Button>
      <p className="text-ink-muted text-sm">
        {isPaused
          ? "The key works again within two seconds, with the same secret and limit."
          : "Requests with a paused key are refused until you resume it. Its secret stays the same."}
      </p>
    </div>
  )
}
