import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { type OutcomesSearch, outcomesFields } from "@/lib/server/outcomes/search"
import { percentOf } from "@/lib/shared/outcomes/outcomes-address"

/** The fields that the form itself has. */
const OWN = ["yes", "no", "wrong", "wrong_no"]

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
      <NumberField label={isNoul ? "Yes from" : "Accepted from"} name="yes" value={rule.from} placeholder="0.9" />
      <NumberField
        label={isNoul ? "Wrong yes at most, in %" : "Wrong at most, in %"}
        name="wrong"
        value={percentOf(rule.targetAbove)}
      />
      {isNoul ? (
        <>
          <NumberField label="No below" name="no" value={rule.below} placeholder="0.1" />
          <NumberField label="Wrong no at most, in %" name="wrong_no" value={percentOf(rule.targetBelow)} />
        </>
      ) : null}
      <Button type="submit" variant="secondary">
        Apply thresholds
      </Button>
    </form>
  )
}

interface NumberFieldProps {
  label: string
  name: string
  /** Null for an empty field. */
  value: number | null
  placeholder?: string
}

function NumberField({ label, name, value, placeholder }: NumberFieldProps) {
  return (
    <Field label={label}>
      <Input
        name={name}
        inputMode="decimal"
        defaultValue={value ?? ""}
        placeholder={placeholder}
        className="max-w-28"
      />
    </Field>
  )
}
