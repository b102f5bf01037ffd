"use client"
import { type ReactNode, useState } from "react"
import { TabPanel, Tabs } from "@/components/ui/tabs"

interface ExampleTabsProps {
  examples: { id: string; title: string; view: ReactNode }[]
}

/** Shows one of several examples. */
export function ExampleTabs({ examples }: ExampleTabsProps) {
  const [shown, setShown] = useState(examples[0]?.id ?? "")
  return (
    <Tabs
      label="Examples"
      tabs={examples.map(({ id, title }) => ({ value: id, label: title }))}
      value={shown}
      onValueChange={setShown}
    >
      {examples.map(({ id, view }) => (
        <TabPanel key={id} value={id} className="pt-4">
          {view}
        </TabPanel>
      ))}
    </Tabs>
  )
}
