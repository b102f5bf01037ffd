import type { ReactNode } from "react"
import { TextLink } from "@/components/ui/text-link"
import type { Statement } from "@/lib/server/billing/get-statement"

interface PartyProps {
  title: string
  name: string
  address: string
  vatId: string
  children?: ReactNode
}

const Party = ({ title, name, address, vatId, children }: PartyProps) => (
  <section aria-label={title} className="flex min-w-0 flex-1 basis-60 flex-col">
    <h2 className="text-ink-muted text-sm">{title}</h2>
    <p className="wrap-anywhere font-medium">{name}</p>
    {address === "" ? null : <p className="wrap-anywhere whitespace-pre-line">{address}</p>}
    {vatId === "" ? null : <p className="wrap-anywhere">VAT id {vatId}</p>}
    {children}
  </section>
)

interface PartiesProps {
  statement: Statement
  /** Whether the member may set a company name and address. */
  mayChange: boolean
}

/** Shows who issued a statement and whom it is for. */
export function Parties({ statement: { issuer, addressee, accountId }, mayChange }: PartiesProps) {
  const { company, accountName, purchaseOrder } = addressee
  return (
    <div className="flex flex-wrap gap-x-12 gap-y-6">
      <Party title="From" {...issuer} />
      <Party title="To" {...addressee} name={company === "" ? accountName : company}>
        {purchaseOrder === "" ? null : <p className="wrap-anywhere">Purchase order {purchaseOrder}</p>}
        <p>
          Account <span className="whitespace-nowrap font-mono text-xs">{accountId}</span>
        </p>
        {company === "" && mayChange ? (
          <p className="text-sm print:hidden">
            <TextLink alone href="/settings">
              Set a company name and address
            </TextLink>
          </p>
        ) : null}
      </Party>
    </div>
  )
}
