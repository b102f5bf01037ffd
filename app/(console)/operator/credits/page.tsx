import { CodeBlock } from "@/components/ui/code-block"
import { PageHeader } from "@/components/ui/page-header"
import { Section } from "@/components/ui/section"
import { requireOperator } from "@/lib/server/auth/operator"
import { NOTE_STAYS } from "../_components/note-stays"
import { operatorTitle } from "../_components/operator-title"
import { CreditFile } from "./_components/credit-file"

export const generateMetadata = () => operatorTitle("Credits")

const EXAMPLE = `account,amount_usd,reference,note
ada@example.com,5,outage-2026-11,Credit for the outage
acc_01k3tfa2c4e6g8j0m2p4r6t8v0,2.50,outage-2026-11,Credit for the outage`

export default async function CreditsPage() {
  await requireOperator("/operator/credits")
  return (
    <>
      <PageHeader title="Credits">
        Add credit to many accounts from a CSV file. If one line is wrong, no account is credited.
      </PageHeader>
      <div className="flex flex-col gap-8">
        <CreditFile />
        <Section
          id="columns"
          title="Columns of the file"
          hint={`An account is named by its id, by a key as lists show it, or by a member’s address. It is credited once for each reference, so the same file can be opened again. The account sees the note in its ledger. ${NOTE_STAYS}`}
        >
          <CodeBlock label="credits.csv" code={EXAMPLE} />
        </Section>
      </div>
    </>
  )
}
