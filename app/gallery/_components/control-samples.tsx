"use client"
import { Settings } from "lucide-react"
import { useState } from "react"
import { z } from "zod"
import { ActionButton } from "@/components/form/action-button"
import { ApplyWithoutScript, DayFilters } from "@/components/form/filter-fields"
import { FormError } from "@/components/form/form-error"
import { FormField } from "@/components/form/form-field"
import { PhoneFilters } from "@/components/form/phone-filters"
import { SaveForm } from "@/components/form/save-form"
import { SubmitButton } from "@/components/form/submit-button"
import { Button } from "@/components/ui/button"
import { Checkbox } from "@/components/ui/checkbox"
import { CopyButton } from "@/components/ui/copy-button"
import { DateInput } from "@/components/ui/date-input"
import { Dialog, DialogActions, DialogCancel } from "@/components/ui/dialog"
import { Field } from "@/components/ui/field"
import { FilterLink } from "@/components/ui/filter-link"
import { IconButton } from "@/components/ui/icon-button"
import { Input } from "@/components/ui/input"
import { LinkButton } from "@/components/ui/link-button"
import { MoveButtons } from "@/components/ui/move-buttons"
import { BackLink } from "@/components/ui/page-header"
import { Paging } from "@/components/ui/paging"
import { RadioGroup } from "@/components/ui/radio-group"
import { RowMenu } from "@/components/ui/row-menu"
import { SearchInput } from "@/components/ui/search-input"
import { SelectField } from "@/components/ui/select"
import { TabPanel, Tabs } from "@/components/ui/tabs"
import { TextLink } from "@/components/ui/text-link"
import { Textarea } from "@/components/ui/textarea"
import { sayDone, ToastHost } from "@/components/ui/toast-host"
import { Sample } from "./sample"

const nothing = () => {}
const PERIODS = [
  { value: "daily", label: "Daily", hint: "Starts again at midnight UTC." },
  { value: "lifetime", label: "Lifetime" },
]
const TABS = ["rows", "results"].map((value) => ({ value, label: value }))
const REFUSED = { ok: false, error: { code: "rate_limited", message: "Wait a moment, then try again." } } as const

function SampleDialog() {
  const [open, setOpen] = useState(false)
  return (
    <Sample of="Dialog">
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Open dialog
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title="Revoke key" description="It stops working within two seconds.">
        <DialogActions>
          <DialogCancel />
          <Button variant="danger" onClick={() => setOpen(false)}>
            Revoke key
          </Button>
        </DialogActions>
      </Dialog>
    </Sample>
  )
}

function Fields() {
  return (
    <>
      <Sample of="Field, Input, DateInput, Textarea, SearchInput">
        <Field label="Amount in USD" error="Enter more than zero.">
          <Input mono defaultValue="0" />
        </Field>
        <Field label="Expires on">
          <DateInput type="date" defaultValue="2026-11-20" />
        </Field>
        <Field label="State">
          <Textarea defaultValue="My parcel arrived broken." />
        </Field>
        <Field label="Search keys">
          <SearchInput placeholder="Name or ending" />
        </Field>
      </Sample>
      <Sample of="Checkbox, RadioGroup">
        <Checkbox label="Save the card" hint="For automatic top-up." defaultChecked />
        <RadioGroup label="Period" name="period" options={PERIODS} defaultValue="daily" />
      </Sample>
      <Sample of="PhoneFilters, SelectField, DayFilters, ApplyWithoutScript">
        <PhoneFilters count={1}>
          <SelectField label="Result" value="" none="All" options={PERIODS} onChoose={nothing} className="w-40" />
          <DayFilters chosen={{ from: "2026-11-01", to: "" }} today="2026-11-27" choose={nothing} />
          <ApplyWithoutScript />
        </PhoneFilters>
      </Sample>
      <Sample of="ToastHost">
        <ToastHost />
        <Button variant="secondary" onClick={() => sayDone("The invitation was sent.")}>
          Show a toast
        </Button>
      </Sample>
      <Sample of="SaveForm, FormField, FormError, ActionButton, SubmitButton">
        <SaveForm
          schema={async () => z.object({ name: z.string().min(1, "Enter a name.") })}
          defaultValues={{ name: "Support inbox" }}
          action={async () => ({ ok: true, data: null })}
          label="Save name"
          fields={(form) => <FormField form={form} name="name" label="Name" hint="What the key is for." required />}
        />
        <FormError error={REFUSED.error} />
        <ActionButton action={async () => REFUSED} input={{}} pendingLabel="Sending…">
          Send again
        </ActionButton>
        <form action={() => new Promise<void>((resolve) => setTimeout(resolve, 1_500))}>
          <SubmitButton pendingLabel="Joining…">Join account</SubmitButton>
        </form>
      </Sample>
    </>
  )
}

/** Shows what is pressed, chosen and typed. */
export function ControlSamples() {
  const [tab, setTab] = useState("rows")
  return (
    <>
      <Sample of="Button, LinkButton, IconButton, CopyButton">
        {(["primary", "secondary", "quiet", "danger"] as const).map((variant) => (
          <Button key={variant} variant={variant}>
            {variant}
          </Button>
        ))}
        <Button size="sm">Small</Button>
        <Button disabled>Disabled</Button>
        <Button pending pendingLabel="Saving…" />
        <LinkButton href="/gallery" variant="secondary">
          Link
        </LinkButton>
        <IconButton icon={Settings} label="Open settings" onClick={nothing} />
        <CopyButton text="svcd_example" />
      </Sample>
      <SampleDialog />
      <Sample of="RowMenu, MenuPopup, MoveButtons">
        <RowMenu
          label="Actions for Support inbox"
          actions={[
            { label: "Rename", onSelect: nothing },
            { label: "Revoke", onSelect: nothing, isDanger: true },
          ]}
        />
        <MoveButtons list="gallery" at={1} isLast={false} name="refund" onMove={nothing} />
      </Sample>
      <Sample of="TextLink, BackLink, FilterLink, Paging">
        <TextLink href="/gallery">A link in a text</TextLink>
        <BackLink href="/gallery">Back</BackLink>
        <FilterLink href="/gallery" isCurrent>
          All
        </FilterLink>
        <Paging of="keys" page="2" next="3" hrefOf={() => "/gallery"} />
      </Sample>
      <Sample of="Tabs">
        <Tabs label="A set" tabs={TABS} value={tab} onValueChange={setTab}>
          <TabPanel value={tab}>The panel of {tab}.</TabPanel>
        </Tabs>
      </Sample>
      <Fields />
    </>
  )
}
