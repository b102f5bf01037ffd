import type Stripe from "stripe"
import { StripeRefusal } from "./errors"
import type { StripeDouble } from "./stripe-double"
import type { CardOutcome } from "./world"

type Session = Stripe.Checkout.Session

export interface Page {
  status: number
  html?: string
  location?: string
}

/** The longest time that the page waits for the webhook endpoint before it redirects, as Stripe's does. */
const REDIRECT_WITHIN_MS = 10_000

const NAMES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => NAMES[sign] ?? sign)

const money = (cents: number | null, currency: string | null): string =>
  `${((cents ?? 0) / 100).toFixed(2)} ${(currency ?? "usd").toUpperCase()}`

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:28rem;margin:0 auto;padding:1rem}
.pretend{border:2px dashed;border-radius:.5rem;padding:.5rem .75rem;font-weight:600}form{margin:.5rem 0}
button,.button{box-sizing:border-box;display:block;width:100%;padding:.75rem;font:inherit;text-align:center;border:1px solid;border-radius:.5rem;background:transparent;color:inherit;text-decoration:none;cursor:pointer}
dl{display:grid;grid-template-columns:1fr auto;gap:.25rem 1rem}dd{margin:0;text-align:right}`

const page = (title: string, body: string, status = 200): Page => ({
  status,
  html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${escaped(title)}</title><style>${STYLE}</style></head>
<body><main><p class="pretend">Pretend payments: no money moves</p><h1>${escaped(title)}</h1>${body}</main></body></html>`,
})

const button = (session: Session, action: string, label: string): string =>
  `<form method="post" action="/c/pay/${session.id}/${action}"><button>${label}</button></form>`

const row = (name: string, value: string): string => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`

function amounts(
  { amount_subtotal, amount_total, total_details, automatic_tax, currency }: Session,
  item: string,
): string {
  const tax =
    automatic_tax.status === "complete" ? money(total_details?.amount_tax ?? 0, currency) : "added when you pay"
  const taxRow = automatic_tax.enabled ? row("Tax", tax) : ""
  return `<dl>${row(item, money(amount_subtotal, currency))}${taxRow}${row("Total", money(amount_total, currency))}</dl>`
}

function afterwards(session: Session, intent: Stripe.PaymentIntent | null): string {
  if (intent?.status === "processing")
    return `<p>The money is on its way. Let it</p>${button(session, "settle-ok", "Arrive")}${button(session, "settle-failed", "Fail")}`
  if (session.payment_status !== "paid") return ""
  const actions = button(session, "refund", "Refund all") + button(session, "dispute", "Dispute and withdraw")
  return `<h2>What happens next?</h2>${actions}${button(session, "dispute-won", "Dispute won")}${button(session, "dispute-lost", "Dispute lost")}`
}

const CARDS: Record<string, { label: string; outcome: CardOutcome }> = {
  save: { label: "Save card", outcome: "ok" },
  "save-declined": { label: "Save a card that will be declined", outcome: "declined" },
  "save-authentication": { label: "Save a card that asks for authentication", outcome: "authentication_required" },
}

/** The page of a checkout that saves a card without a payment. */
function setupPage(session: Session): Page {
  if (session.status !== "open") return page("This checkout is complete", "<p>The card was saved.</p>")
  const buttons = Object.entries(CARDS).map(([action, { label }]) => button(session, action, label))
  const leave = session.cancel_url ? `<a class="button" href="${escaped(session.cancel_url)}">Leave</a>` : ""
  return page("Save a card", `<p>Nothing is charged now.</p>${buttons.join("")}${leave}`)
}

function sessionPage(double: StripeDouble, session: Session, alert = ""): Page {
  if (session.mode === "setup") return setupPage(session)
  const item = double.world.drafts.get(session.id)?.lineItems[0]?.description ?? "Payment"
  const intentId = typeof session.payment_intent === "string" ? session.payment_intent : null
  const intent = intentId ? double.world.store.get("payment_intent", intentId) : null
  const back = session.success_url?.replaceAll("{CHECKOUT_SESSION_ID}", session.id)
  const done = back ? `<a class="button" href="${escaped(back)}">Back</a>` : ""
  const notice = alert ? `<p role="alert">${escaped(alert)}</p>` : ""
  if (session.status === "expired")
    return page("This checkout has expired", `${notice}<p>Go back and begin a new one.</p>`)
  if (session.status === "complete")
    return page("This checkout is complete", `${notice}${amounts(session, item)}${afterwards(session, intent)}${done}`)
  const pay =
    button(session, "pay", "Pay") + button(session, "fail", "Card fails") + button(session, "pay-later", "Pay later")
  const leave = session.cancel_url ? `<a class="button" href="${escaped(session.cancel_url)}">Leave</a>` : ""
  return page("Checkout", `${notice}${amounts(session, item)}${pay}${leave}`)
}

function changeAfterwards(double: StripeDouble, session: Session, action: string): void {
  const intentId = String(session.payment_intent)
  const [newest] = double.world.store
    .all("dispute")
    .filter((made) => made.payment_intent === intentId)
    .reverse()
  if (action === "refund") double.refund(intentId)
  else if (action === "dispute") double.disputeFundsWithdrawn(double.dispute(intentId).id)
  else if (action === "dispute-won") double.disputeWon(newest?.id ?? "")
  else if (action === "dispute-lost") double.disputeLost(newest?.id ?? "")
  else if (action === "settle-ok" || action === "settle-failed")
    double.settleLater(session.id, action === "settle-ok" ? "ok" : "failed")
}

async function afterEndpoint(double: StripeDouble): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, REDIRECT_WITHIN_MS)
  })
  await Promise.race([double.idle(), patience])
  clearTimeout(timer)
}

async function act(double: StripeDouble, session: Session, action: string): Promise<Page> {
  const card = CARDS[action]
  if (card || action === "pay" || action === "pay-later") {
    if (card) double.saveCard(session.id, card.outcome)
    else if (action === "pay") double.pay(session.id)
    else double.payLater(session.id)
    await afterEndpoint(double)
    return { status: 303, location: session.success_url?.replaceAll("{CHECKOUT_SESSION_ID}", session.id) }
  }
  if (action === "fail") {
    double.fail(session.id)
    return { status: 303, location: `/c/pay/${session.id}?declined` }
  }
  changeAfterwards(double, session, action)
  return { status: 303, location: `/c/pay/${session.id}` }
}

/** Returns the page of a path: a checkout, its buttons, a receipt or an invoice. Null for any other path. */
export async function showPage(
  double: StripeDouble,
  method: string,
  path: string,
  query: string,
): Promise<Page | null> {
  const [, receipt] = /^\/(?:receipts|invoices)\/([a-z]+_\w+)(?:\/pdf)?$/.exec(path) ?? []
  if (receipt && double.world.store.find(receipt)) return page("Pretend receipt", `<p>${receipt}</p>`)
  const [, id, action] = /^\/c\/pay\/(cs_\w+)(?:\/([a-z-]+))?$/.exec(path) ?? []
  if (!id) return null
  double.tick()
  try {
    const session = double.world.store.get("checkout.session", id)
    const declined = query === "?declined" ? "Your card was declined. Try another way to pay." : ""
    if (method === "GET") return sessionPage(double, session, declined)
    try {
      return await act(double, session, action ?? "")
    } catch (error) {
      if (!(error instanceof StripeRefusal)) throw error
      return { ...sessionPage(double, session, error.message), status: 409 }
    }
  } catch (error) {
    if (error instanceof StripeRefusal) return page("No such checkout", "", 404)
    throw error
  }
}
