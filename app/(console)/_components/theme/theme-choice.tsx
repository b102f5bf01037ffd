"use client"
import clsx from "clsx"
import { Button } from "@/components/ui/button"
import type { Theme } from "@/lib/shared/preferences"
import { setTheme } from "./actions"
import { submitTheme, useTheme } from "./theme"

const THEMES: readonly { theme: Theme; label: string }[] = [
  { theme: "system", label: "System" },
  { theme: "light", label: "Light" },
  { theme: "dark", label: "Dark" },
]

interface ThemeChoiceProps {
  /** The cookie's theme. Without it, the current theme is marked once the page is interactive. */
  saved?: Theme
  isSmall?: boolean
}

/** Renders a button for each theme, as a native form, so it works without JavaScript. */
export function ThemeChoice({ saved, isSmall = false }: ThemeChoiceProps) {
  const current = useTheme(saved)
  return (
    <form
      action={setTheme}
      onSubmit={submitTheme}
      aria-label="Theme"
      className={clsx("flex flex-wrap", isSmall ? "gap-1.5" : "gap-2")}
    >
      {THEMES.map(({ theme, label }) => (
        <Button
          key={theme}
          type="submit"
          name="theme"
          value={theme}
          variant="secondary"
          size={isSmall ? "sm" : undefined}
          aria-pressed={theme === current}
        >
          {label}
        </Button>
      ))}
    </form>
  )
}
