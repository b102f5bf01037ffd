import { publicId } from "@/lib/server/platform/ids"
import { formatBalance, formatDateTime } from "@/lib/shared/format"
import { WEBHOOK_EVENTS, type WebhookType } from "@/lib/shared/webhooks/events"

const HEADINGS: Record<WebhookType, string> = { ...WEBHOOK_EVENTS, "webhook.test": "This is a test" }

/** The page that an event is about, by the first part of its type. Of all others it is the one where alerts are chosen. */
const PAGES: Record<string, string> = {
  balance: "/billing",
  topup: "/billing",
  key: "/keys",
  budget: "/budgets",
  errors: "/requests",
  outcomes: "/outcomes",
  member: "/members",
  audit: "/settings/audit",
  alias: "/models",
}

/** Slack reads these three as the start of a link, of a mention or of an escape. */
const escapeText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const writtenAs = (name: string, value: unknown): string => {
  if (name.endsWith("_usd")) return formatBalance(String(value))
  return name === "hour" || name.endsWith("_at") ? `${formatDateTime(new Date(String(value)))} UTC` : String(value)
}

/** Returns a line such as “Limit: $10.00” for `limit_usd`. */
function lineOf([name, value]: [string, unknown]): string {
  const words = name.replace(/_(usd|id)$/, "").replaceAll("_", " ")
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}: ${escapeText(writtenAs(name, value))}`
}

interface SlackContext {
  accountId: string
  consoleUrl: string
}

/**
 * Returns what a Slack address receives for the body of a webhook message: a JSON object with the text, which names the event, its facts
 * and a page of the console. It serves every event, so that a new one needs no text here.
 */
export function slackBody(body: string, { accountId, consoleUrl }: SlackContext): string {
  const { type, data } = JSON.parse(body) as { type: WebhookType; data: Record<string, unknown> }
  const { account_id: _, key_id: keyId, ...facts } = data
  const path = PAGES[type.split(".")[0] ?? ""] ?? "/webhooks"
  const next = typeof keyId === "string" ? `${path}/${keyId}` : path
  const account = publicId("acc", accountId)
  const link = `${consoleUrl}/open/${account}?${new URLSearchParams({ next })}`
  const all = Object.entries({ ...facts, ...(keyId ? { key_id: keyId } : {}), account_id: account })
  const lines = all.filter(([, value]) => value !== null).map(lineOf)
  return JSON.stringify({ text: [`*${HEADINGS[type]}*`, ...lines, `<${link}|Open the console>`].join("\n") })
}
