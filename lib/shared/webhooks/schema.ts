import { z } from "zod"
import { WEBHOOK_EVENT_NAMES, type WebhookEvent, type WebhookType } from "./events"

const NOT_HTTPS = "Enter an https address, such as https://example.com/hooks."

export const NOT_PUBLIC = "Enter an address on the public internet. Private and local addresses are refused."

const isLocalName = (hostname: string): boolean => /^[^.]+$|(^|\.)localhost$/.test(hostname.replace(/\.$/, ""))

/** Returns why an address cannot be called, or null. The server also refuses private IP addresses, and checks those of a name with each delivery. */
export function faultOfUrl(text: string): string | null {
  if (!URL.canParse(text)) return NOT_HTTPS
  const { protocol, username, password, hash, hostname, port } = new URL(text)
  if (protocol !== "https:") return NOT_HTTPS
  // Below are the ports of services such as SSH and mail, which must not get requests from here.
  if (port !== "" && Number(port) < 1_024) return "Use port 443, or one from 1024 on."
  if (username || password) return "Leave user and password out of the address."
  if (hash) return "Leave the part after # out of the address. It is never sent."
  return !hostname.startsWith("[") && isLocalName(hostname) ? NOT_PUBLIC : null
}

const EndpointUrl = z
  .string({ error: NOT_HTTPS })
  .trim()
  .max(2_048, "The address has more than 2,048 characters.")
  .superRefine((text, context) => {
    const fault = faultOfUrl(text)
    if (fault) context.addIssue({ code: "custom", message: fault })
  })

export const Events = z.array(z.enum(WEBHOOK_EVENT_NAMES)).max(WEBHOOK_EVENT_NAMES.length)

/** A webhook, or a Slack address, which is stored encrypted and never shown again. */
export const CreateEndpointInput = z.strictObject({
  url: EndpointUrl,
  events: Events.min(1, "Choose at least one event."),
})
export type CreateEndpointInput = z.output<typeof CreateEndpointInput>

/** `id` is `whe_…`. */
export const EndpointInput = z.strictObject({ id: z.string() })
export type EndpointInput = z.output<typeof EndpointInput>

/** `id` is `msg_…`. */
export const DeliveryInput = z.strictObject({ id: z.string() })
export type DeliveryInput = z.output<typeof DeliveryInput>

export type EndpointKind = "webhook" | "slack"

/** An endpoint without its secret. Times are ISO text. */
export interface WebhookEndpoint {
  id: string
  kind: EndpointKind
  /** Of a Slack address, the host and the last four characters. */
  url: string
  events: WebhookEvent[]
  createdAt: string
  /** The address of the user who added it; null when that is unknown. */
  createdBy: string | null
  /** Until when the previous secret signs too; null when none does. */
  previousUntil: string | null
  /** Since when it gets no events, because a message to it was given up; null while it gets them. */
  turnedOffAt: string | null
}

/** A new secret, `whsec_…`. Shown once. */
export interface WebhookSecret {
  id: string
  secret: string
}

/** Why there was no reply. It does not say which step failed, because members choose the address and could explore networks. */
export type WebhookFault = "network" | "secret"

export interface WebhookDelivery {
  id: string
  endpointId: string
  url: string
  type: WebhookType
  createdAt: string
  state: "waiting" | "delivered" | "given_up"
  attempts: number
  /** The receiver's status of the last attempt; null when there was no reply, and before the first attempt. */
  status: number | null
  fault: WebhookFault | null
  /** When it is tried next; null unless it waits. */
  nextAt: string | null
}
