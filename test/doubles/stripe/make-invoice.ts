import type Stripe from "stripe"
import { example, newId } from "./store"
import { emit, type World } from "./world"

/** Fields of Stripe's example that a paid top-up leaves empty. */
const NONE = {
  customer_shipping: null,
  due_date: null,
  from_invoice: null,
  last_finalization_error: null,
  next_payment_attempt: null,
  parent: null,
  rendering: null,
  shipping_cost: null,
  shipping_details: null,
  webhooks_delivered_at: null,
} satisfies Partial<Stripe.Invoice>

function linesOf(world: World, session: Stripe.Checkout.Session, invoiceId: string): Stripe.InvoiceLineItem[] {
  const [line] = example("invoice").lines.data
  const items = world.drafts.get(session.id)?.lineItems ?? []
  return items.map(
    (item) =>
      ({
        ...line,
        id: newId("il"),
        amount: item.amount_subtotal,
        description: item.description,
        invoice: invoiceId,
        livemode: session.livemode,
        period: { start: world.now(), end: world.now() },
        pricing: null,
        quantity: item.quantity,
        subtotal: item.amount_subtotal,
      }) as Stripe.InvoiceLineItem,
  )
}

const addressee = ({ customer, customer_details: details }: Stripe.Checkout.Session) => ({
  customer,
  customer_address: details?.address ?? null,
  customer_email: details?.email ?? null,
  customer_name: details?.name ?? null,
})

export function makeInvoice(world: World, session: Stripe.Checkout.Session): Stripe.Invoice {
  const id = newId("in")
  const empty = example("invoice")
  const data = world.drafts.get(session.id)?.params.invoice_creation?.invoice_data
  const [total, subtotal] = [session.amount_total ?? 0, session.amount_subtotal ?? 0]
  const tax = session.total_details?.amount_tax ?? 0
  const now = world.now()
  const invoice: Stripe.Invoice = {
    ...empty,
    ...NONE,
    id,
    amount_due: total,
    amount_overpaid: 0,
    amount_paid: total,
    amount_remaining: 0,
    attempted: true,
    automatic_tax: { ...empty.automatic_tax, enabled: session.automatic_tax.enabled },
    created: now,
    currency: session.currency ?? "usd",
    ...addressee(session),
    description: data?.description ?? null,
    effective_at: now,
    ending_balance: 0,
    footer: data?.footer ?? null,
    hosted_invoice_url: `${world.origin}/invoices/${id}`,
    invoice_pdf: `${world.origin}/invoices/${id}/pdf`,
    lines: { ...empty.lines, data: linesOf(world, session, id), url: `/v1/invoices/${id}/lines` },
    livemode: session.livemode,
    metadata: (data?.metadata ?? {}) as Stripe.Metadata,
    number: `PRETEND-${String(world.store.all("invoice").length + 1).padStart(4, "0")}`,
    period_end: now,
    period_start: now,
    status: "paid",
    status_transitions: { ...empty.status_transitions, finalized_at: now, paid_at: now },
    subtotal,
    subtotal_excluding_tax: total - tax,
    total,
    total_excluding_tax: total - tax,
  }
  session.invoice = id
  world.store.add("invoice", invoice, session.livemode)
  for (const type of ["invoice.finalized", "invoice.paid", "invoice.payment_succeeded"] as const)
    emit(world, type, invoice)
  return invoice
}
