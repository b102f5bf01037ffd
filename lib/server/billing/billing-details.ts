import type Stripe from "stripe"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { lockAccount } from "@/lib/server/ledger/lock-account"
import { requireRight, type UserActor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"
import { type BillingDetails, NO_DETAILS } from "@/lib/shared/billing/billing-details"

type DetailsRow = Row<"BillingDetails", "company" | "address" | "vat_id" | "purchase_order">

/** Returns what an account's statements and invoices name, by its UUID. Texts are empty until somebody sets them. */
export async function readBillingDetails({ pool }: Runtime, accountId: string): Promise<BillingDetails> {
  const { rows } = await pool.query<DetailsRow>(
    "SELECT company, address, vat_id, purchase_order FROM billing_details WHERE account_id = $1",
    [accountId],
  )
  const [row] = rows
  if (!row) return NO_DETAILS
  return { company: row.company, address: row.address, vatId: row.vat_id, purchaseOrder: row.purchase_order }
}

/** Returns the billing details of the actor's account. Needs `billing.read`. */
export async function getBillingDetails(runtime: Runtime, actor: UserActor): Promise<BillingDetails> {
  requireRight(actor, "billing.read")
  return readBillingDetails(runtime, actor.accountId)
}

const SAVE = `
  INSERT INTO billing_details (account_id, company, address, vat_id, purchase_order) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (account_id) DO UPDATE
  SET company = excluded.company, address = excluded.address, vat_id = excluded.vat_id, purchase_order = excluded.purchase_order`

/** Sets whom statements and the invoices of later checkouts name. Needs `billing.pay`. */
export async function saveBillingDetails({ pool }: Runtime, actor: UserActor, details: BillingDetails): Promise<void> {
  requireRight(actor, "billing.pay")
  const { company, address, vatId, purchaseOrder } = details
  await inTransaction(pool, async (client) => {
    await lockAccount(client, actor.accountId)
    await client.query(SAVE, [actor.accountId, company, address, vatId, purchaseOrder])
    await recordAudit(client, actor, { action: "account.billing_details" })
  })
}

/** Returns what Stripe prints on the invoice of a checkout; undefined when the account has set nothing. */
export function invoiceDataOf({
  company,
  address,
  vatId,
  purchaseOrder,
}: BillingDetails): Stripe.Checkout.SessionCreateParams.InvoiceCreation.InvoiceData | undefined {
  const description = [company, address].filter((text) => text !== "").join("\n")
  const fields = [
    { name: "Purchase order", value: purchaseOrder },
    { name: "VAT id", value: vatId },
  ].filter(({ value }) => value !== "")
  if (description === "" && fields.length === 0) return undefined
  return {
    ...(description === "" ? {} : { description }),
    ...(fields.length === 0 ? {} : { custom_fields: fields }),
  }
}
