import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { type OutcomesSearch, outcomesFields, percentOf } from "@/lib/server/outcomes/search"

/** The fields that the form itself has. */
const OWN = ["yes", "no", "wrong"]

/** Asks for the thresholds that a program uses, and for the error rate that was accepted. The address keeps them. */
export function RuleForm({ search }: { search: OutcomesSearch }) {
  const { rule, chosen } = search
  const isNoul = chosen?.type === "noul"
  return (
    <form action="/outcomes" className="flex flex-wrap items-end gap-3">
      {outcomesFields(search)
        .filter(([name]) => !OWN.includes(name))
        .map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
      <Field label={isNoul ? "Yes from" : "Accepted from"}>
        <Input name="yes" inputMode="decimal" defaultValue={rule.from ?? ""} placeholder="0.9" className="max-w-28" />
      </Field>
      {isNoul ? (
        <Field label="No below">
          <Input name="no" inputMode="decimal" defaultValue={rule.below ?? ""} placeholder="0.1" className="max-w-28" />
        </Field>
      ) : null}
      <Field label="Wrong at most, in %">
        <Input name="wrong" inputMode="decimal" defaultValue={percentOf(rule.target)} className="max-w-28" />
      </Field>
      <Button type="submit" variant="secondary">
        Apply thresholds
      </Button>
    </form>
  )
}
