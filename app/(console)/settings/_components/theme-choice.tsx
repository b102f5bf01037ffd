"use client"
import { Button } from "@/components/ui/button"
import type { Theme } from "@/lib/shared/preferences"
import { submitTheme, useTheme } from "../../_components/theme"
import { setTheme } from "../actions"

const THEMES: readonly { theme: Theme; label: string }[] = [
  { theme: "system", label: "System" },
  { theme: "light", label: "Light" },
  { theme: "dark", label: "Dark" },
]

/** Renders a button for each theme, as a native form, so it works without JavaScript. `saved` is the cookie's theme. */
export function ThemeChoice({ saved }: { saved: Theme }) {
  const current = useTheme(saved)
  return (
    <form action={setTheme} onSubmit={submitTheme} className="flex flex-wrap gap-2">
      {THEMES.map(({ theme, label }) => (
        <Button
          key={theme}
          type="submit"
          name="theme"
          value={theme}
          variant="secondary"
          aria-pressed={theme === current}
        >
          {label}
        </Button>
      ))}
    </form>
  )
}
