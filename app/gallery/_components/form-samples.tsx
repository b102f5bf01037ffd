"use client"
import { z } from "zod"
import { ApplyWithoutScript, DayFilters, FilterSelect } from "@/components/form/filter-fields"
import { FormError } from "@/components/form/form-error"
import { RowAction } from "@/components/form/row-action"
import { Checkbox } from "@/components/ui/checkbox"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { RadioGroup } from "@/components/ui/radio-group"
import { SearchInput } from "@/components/ui/search-input"
import { Select } from "@/components/ui/select"
import { Textarea } from "@/components/ui/textarea"
import { Sample, Samples } from "./sample"

const nothing = () => {}
const PERIODS = [
  { value: "daily", label: "Daily", hint: "Starts again at midnight UTC." },
  { value: "lifetime", label: "Lifetime" },
]
const REFUSED = { ok: false, error: { code: "rate_limited", message: "Wait a moment, then try again." } } as const

function Fields() {
  return (
    <Sample of="Field, Input, Select, Textarea, SearchInput">
      <Field label="Name" hint="What the key is for." required>
        <Input defaultValue="Support inbox" />
      </Field>
      <Field label="Amount in USD" error="Enter more than zero.">
        <Input mono defaultValue="0" />
      </Field>
      <Field label="Role">
        <Select defaultValue="viewer">
          <option value="owner">Owner</option>
          <option value="viewer">Viewer</option>
        </Select>
      </Field>
      <Field label="State">
        <Textarea defaultValue="My parcel arrived broken." />
      </Field>
      <Field label="Search keys">
        <SearchInput placeholder="Name or ending" />
      </Field>
    </Sample>
  )
}

export function FormSamples() {
  return (
    <Samples title="Forms">
      <Fields />
      <Sample of="Checkbox, RadioGroup">
        <Checkbox label="Save the card" hint="For automatic top-up." defaultChecked />
        <RadioGroup label="Period" name="period" options={PERIODS} defaultValue="daily" />
      </Sample>
      <Sample of="FilterSelect, DayFilters, ApplyWithoutScript">
        <FilterSelect
          label="Result"
          name="result"
          value=""
          none="All"
          options={PERIODS}
          onChoose={nothing}
          className="w-40"
        />
        <DayFilters chosen={{ from: "2026-11-01", to: "" }} today="2026-11-27" choose={nothing} />
        <ApplyWithoutScript />
      </Sample>
      <Sample of="FormError, RowAction">
        <FormError error={REFUSED.error} />
        <RowAction
          id="row"
          schema={async () => z.object({ id: z.string() })}
          action={async () => REFUSED}
          label="Send again"
          pendingLabel="Sending…"
          focusId="content"
        >
          Send again
        </RowAction>
      </Sample>
    </Samples>
  )
}
