"use client"
import { Settings } from "lucide-react"
import { useState } from "react"
import { Button } from "@/components/ui/button"
import { CopyButton } from "@/components/ui/copy-button"
import { Dialog, DialogActions, DialogCancel } from "@/components/ui/dialog"
import { FilterLink } from "@/components/ui/filter-link"
import { IconButton } from "@/components/ui/icon-button"
import { LinkButton } from "@/components/ui/link-button"
import { MoveButtons } from "@/components/ui/move-buttons"
import { BackLink } from "@/components/ui/page-header"
import { RowMenu } from "@/components/ui/row-menu"
import { TabPanel, Tabs } from "@/components/ui/tabs"
import { TextLink } from "@/components/ui/text-link"
import { Sample, Samples } from "./sample"

const nothing = () => {}
const VARIANTS = ["primary", "secondary", "quiet", "danger"] as const
const TABS = [
  { value: "rows", label: "Rows" },
  { value: "results", label: "Results" },
]

function Buttons() {
  return (
    <Sample of="Button, LinkButton, IconButton, CopyButton">
      {VARIANTS.map((variant) => (
        <Button key={variant} variant={variant}>
          {variant}
        </Button>
      ))}
      <Button size="sm">Small</Button>
      <Button disabled>Disabled</Button>
      <Button pending pendingLabel="Saving…">
        Save
      </Button>
      <LinkButton href="/gallery" variant="secondary">
        Link
      </LinkButton>
      <IconButton icon={Settings} label="Open settings" onClick={nothing} />
      <CopyButton text="svcd_example" />
    </Sample>
  )
}

function SampleDialog() {
  const [open, setOpen] = useState(false)
  return (
    <Sample of="Dialog">
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Open dialog
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title="Revoke key" description="Requests with it are refused at once.">
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

export function ControlSamples() {
  const [tab, setTab] = useState("rows")
  return (
    <Samples title="Controls">
      <Buttons />
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
      <Sample of="TextLink, BackLink, FilterLink">
        <TextLink href="/gallery">A link in a text</TextLink>
        <BackLink href="/gallery">Back</BackLink>
        <FilterLink href="/gallery" isCurrent>
          All
        </FilterLink>
        <FilterLink href="/gallery" isCurrent={false}>
          Refused
        </FilterLink>
      </Sample>
      <Sample of="Tabs">
        <Tabs label="A set" tabs={TABS} value={tab} onValueChange={setTab}>
          {TABS.map(({ value, label }) => (
            <TabPanel key={value} value={value}>
              The panel of {label}.
            </TabPanel>
          ))}
        </Tabs>
      </Sample>
    </Samples>
  )
}
