import { FormField } from "@/components/form/form-field"
import { Checkbox } from "@/components/ui/checkbox"
import { FieldError } from "@/components/ui/field"
import {
  WEBHOOK_EVENT_NAMES,
  WEBHOOK_EVENTS,
  type WebhookEndpoint,
  type WebhookSecret,
} from "@/lib/shared/webhooks/schema"
import { dialogForm } from "../../_components/form-dialog"
import { createEndpointAction, deleteEndpointAction, rotateSecretAction, testEndpointAction } from "../actions"

export const createForm = (onDone: (secret: WebhookSecret) => void) =>
  dialogForm({
    title: "Add a webhook",
    description: "The secret that signs its messages is shown once, after this step.",
    schema: async () => (await import("@/lib/shared/webhooks/schema")).CreateEndpointInput,
    defaultValues: { url: "", events: [...WEBHOOK_EVENT_NAMES] },
    action: createEndpointAction,
    onDone,
    submitLabel: "Add webhook",
    pendingLabel: "Adding…",
    fields: (form) => (
      <>
        <FormField
          form={form}
          name="url"
          label="Address"
          hint="An https address on the public internet. Redirects are not followed."
          type="url"
          inputMode="url"
          placeholder="https://"
          required
        />
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-2 font-medium">Send a message when</legend>
          {WEBHOOK_EVENT_NAMES.map((event) => (
            <Checkbox
              key={event}
              {...form.register("events")}
              value={event}
              label={WEBHOOK_EVENTS[event]}
              hint={event}
            />
          ))}
          <FieldError>{form.formState.errors.events?.message}</FieldError>
        </fieldset>
      </>
    ),
  })

export const testForm = ({ id, url }: WebhookEndpoint) =>
  dialogForm({
    title: "Send a test",
    description: `Sends a message of the type webhook.test to ${url}, signed like every other.`,
    defaultValues: { id },
    action: testEndpointAction,
    done: "A test is on its way. Reload the page to see the reply.",
    submitLabel: "Send a test",
    pendingLabel: "Sending…",
  })

export const rotateForm = ({ id }: WebhookEndpoint, onDone: (secret: WebhookSecret) => void) =>
  dialogForm({
    title: "Replace the secret",
    description:
      "For 24 hours, messages are signed with the old and the new secret. Give your program the new one within that time.",
    defaultValues: { id },
    action: rotateSecretAction,
    onDone,
    submitLabel: "Replace secret",
    pendingLabel: "Replacing…",
  })

export const deleteForm = ({ id, url }: WebhookEndpoint) =>
  dialogForm({
    title: "Delete this webhook",
    description: `${url} is not called any more. Its messages are deleted, also those that wait.`,
    defaultValues: { id },
    action: deleteEndpointAction,
    done: "The webhook was deleted.",
    submitLabel: "Delete webhook",
    pendingLabel: "Deleting…",
  })
