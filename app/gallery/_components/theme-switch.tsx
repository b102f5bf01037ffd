"use client"
import { useState } from "react"
import { PageHeader } from "@/components/ui/page-header"
import { Segments } from "@/components/ui/segments"

const THEMES = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
] as const

/** Renders the page's head, and changes the theme of this page only. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState<"light" | "dark">("light")
  const choose = (chosen: "light" | "dark") => {
    setTheme(chosen)
    document.documentElement.dataset.theme = chosen
  }
  return (
    <PageHeader title="Components" action={<Segments legend="Theme" options={THEMES} value={theme} onValue={choose} />}>
      Every component of components/ui, components/form and components/charts, with sample data.
    </PageHeader>
  )
}
