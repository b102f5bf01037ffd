"use client"
import { Checkbox } from "@/components/ui/checkbox"
import { Field, FieldError } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import {
  WEBHOOK_EVENT_NAMES,
  WEBHOOK_EVENTS,
  type WebhookEndpoint,
  type WebhookSecret,
} from "@/lib/shared/webhooks/schema"
import { FormDialog } from "../../../_components/form-dialog"
import { createEndpointAction, deleteEndpointAction, rotateSecretAction, testEndpointAction } from "../actions"

interface DialogProps<Data> {
  /** The endpoint to change. Undefined while no dialog is open, and for a new endpoint. */
  endpoint: WebhookEndpoint | undefined
  open: boolean
  opener: HTMLElement | null | undefined
  onClose: () => void
  onDone: (data: Data) => void
}

export function CreateDialog({ open, opener, onClose, onDone }: DialogProps<WebhookSecret>) {
  return (
    <FormDialog
      open={open}
      opener={opener}
      onClose={onClose}
      title="Add a webhook"
      description="The secret that signs its messages is shown once, after this step."
      schema={async () => (await import("@/lib/shared/webhooks/schema")).CreateEndpointInput}
      defaultValues={() => ({ url: "", events: [...WEBHOOK_EVENT_NAMES] })}
      action={createEndpointAction}
      onDone={onDone}
      submitLabel="Add webhook"
      pendingLabel="Adding…"
      fields={({ register, formState: { errors } }) => (
        <>
          <Field
            label="Address"
            hint="An https address on the public internet. Redirects are not followed."
            error={errors.url?.message}
            required
          >
            <Input {...register("url")} type="url" inputMode="url" autoComplete="off" placeholder="https://" />
          </Field>
          <fieldset className="flex flex-col gap-2">
            <legend className="mb-2 font-medium">Send a message when</legend>
            {WEBHOOK_EVENT_NAMES.map((event) => (
              <Checkbox key={event} {...register("events")} value={event} label={WEBHOOK_EVENTS[event]} hint={event} />
            ))}
            {errors.events?.message ? <FieldError>{errors.events.message}</FieldError> : null}
          </fieldset>
        </>
      )}
    />
  )
}

export function TestDialog({ endpoint, open, opener, onClose, onDone }: DialogProps<unknown>) {
  return (
    <FormDialog
      open={open}
      opener={opener}
      onClose={onClose}
      title="Send a test"
      description={`Sends a message of the type webhook.test to ${endpoint?.url ?? ""}, signed like every other.`}
      schema={async () => (await import("@/lib/shared/webhooks/schema")).EndpointInput}
      defaultValues={() => ({ id: endpoint?.id ?? "" })}
      action={testEndpointAction}
      onDone={onDone}
      submitLabel="Send a test"
      pendingLabel="Sending…"
    />
  )
}

export function RotateDialog({ endpoint, open, opener, onClose, onDone }: DialogProps<WebhookSecret>) {
  return (
    <FormDialog
      open={open}
      opener={opener}
      onClose={onClose}
      title="Replace the secret"
      description="For 24 hours, messages are signed with the old and the new secret. Give your program the new one within that time."
      schema={async () => (await import("@/lib/shared/webhooks/schema")).EndpointInput}
      defaultValues={() => ({ id: endpoint?.id ?? "" })}
      action={rotateSecretAction}
      onDone={onDone}
      submitLabel="Replace secret"
      pendingLabel="Replacing…"
    />
  )
}

export function DeleteDialog({ endpoint, open, opener, onClose, onDone }: DialogProps<unknown>) {
  return (
    <FormDialog
      open={open}
      opener={opener}
      onClose={onClose}
      title="Delete this webhook"
      description={`${endpoint?.url ?? ""} is not called any more. Its messages are deleted, also those that wait.`}
      schema={async () => (await import("@/lib/shared/webhooks/schema")).EndpointInput}
      defaultValues={() => ({ id: endpoint?.id ?? "" })}
      action={deleteEndpointAction}
      onDone={onDone}
      submitLabel="Delete webhook"
      pendingLabel="Deleting…"
    />
  )
}
