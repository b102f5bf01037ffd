import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { LinkButton } from "@/components/ui/link-button"
import { Section } from "@/components/ui/section"
import { Select } from "@/components/ui/select"
import { formatMonth } from "@/lib/shared/format"

interface StatementPickerProps {
  /** `acc_…` */
  accountId: string
  /** Newest first. */
  months: string[]
}

/** Opens the statement of a month, or downloads all of its entries. A native form, so it works without JavaScript. */
export function StatementPicker({ accountId, months }: StatementPickerProps) {
  return (
    <Section id="statements" title="Statements">
      <form action="/billing/statement" className="flex flex-wrap items-end gap-2">
        <input type="hidden" name="account" value={accountId} />
        <Field label="Month (UTC)" className="w-48">
          <Select name="month">
            {months.map((month) => (
              <option key={month} value={month}>
                {formatMonth(month)}
              </option>
            ))}
          </Select>
        </Field>
        <Button type="submit" variant="secondary">
          Open statement
        </Button>
        <Button type="submit" variant="secondary" formAction="/billing/ledger.csv">
          Download CSV
        </Button>
        <LinkButton href="/billing/statements" variant="quiet">
          All statements
        </LinkButton>
      </form>
    </Section>
  )
}
