import type { UseFormReturn } from "react-hook-form"
import { FormField } from "@/components/form/form-field"
import { Checkbox } from "@/components/ui/checkbox"
import { FieldError } from "@/components/ui/field"
import { DEFAULT_EVENTS, WEBHOOK_EVENT_NAMES, WEBHOOK_EVENTS } from "@/lib/shared/webhooks/events"
import type { CreateEndpointInput, EndpointKind, WebhookEndpoint, WebhookSecret } from "@/lib/shared/webhooks/schema"
import { dialogForm } from "../../_components/form-dialog"
import {
  addSlackAddressAction,
  createEndpointAction,
  deleteEndpointAction,
  rotateSecretAction,
  testEndpointAction,
} from "../actions"

const loadInput = async () => (await import("@/lib/shared/webhooks/schema")).CreateEndpointInput
const NOUNS: Record<EndpointKind, string> = { webhook: "webhook", slack: "Slack address" }

/** Renders the address and the events of a new webhook or Slack address. */
const fieldsOf = (hint: string) => (form: UseFormReturn<CreateEndpointInput>) => (
  <>
    <FormField
      form={form}
      name="url"
      label="Address"
      hint={hint}
      type="url"
      inputMode="url"
      placeholder="https://"
      autoComplete="off"
      required
    />
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 font-medium">Send a message when</legend>
      {WEBHOOK_EVENT_NAMES.map((event) => (
        <Checkbox key={event} {...form.register("events")} value={event} label={WEBHOOK_EVENTS[event]} hint={event} />
      ))}
      <FieldError>{form.formState.errors.events?.message}</FieldError>
    </fieldset>
  </>
)

export const createForm = (onDone: (secret: WebhookSecret) => void) =>
  dialogForm({
    title: "Add a webhook",
    description: "The secret that signs its messages is shown once, after this step.",
    schema: loadInput,
    defaultValues: { url: "", events: DEFAULT_EVENTS },
    action: createEndpointAction,
    onDone,
    submitLabel: "Add webhook",
    pendingLabel: "Adding…",
    fields: fieldsOf("An https address on the public internet. Redirects are not followed."),
  })

export const slackForm = () =>
  dialogForm({
    title: "Add a Slack address",
    description:
      "In Slack, create an app with an incoming webhook and copy its address. Mattermost and others that read the same messages work too.",
    schema: loadInput,
    defaultValues: { url: "", events: DEFAULT_EVENTS },
    action: addSlackAddressAction,
    done: "The Slack address was added. Send a test to see a message.",
    submitLabel: "Add Slack address",
    pendingLabel: "Adding…",
    fields: fieldsOf(
      "Anyone who knows the address can post to its channel. It is stored encrypted and never shown again.",
    ),
  })

export const testForm = ({ id, kind, url }: WebhookEndpoint) =>
  dialogForm({
    title: "Send a test",
    description:
      kind === "slack"
        ? `Posts a message to ${url}.`
        : `Sends a message of the type webhook.test to ${url}, signed like every other.`,
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

export const deleteForm = ({ id, kind, url }: WebhookEndpoint) =>
  dialogForm({
    title: `Delete this ${NOUNS[kind]}`,
    description: `${url} is not called any more. Its messages are deleted, also those that wait.`,
    defaultValues: { id },
    action: deleteEndpointAction,
    done: `The ${NOUNS[kind]} was deleted.`,
    submitLabel: `Delete ${NOUNS[kind]}`,
    pendingLabel: "Deleting…",
  })
