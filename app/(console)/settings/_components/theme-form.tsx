import { Button } from "@/components/ui/button"
import { setTheme } from "../actions"
import type { Theme } from "../theme"

const CHOICES: readonly { theme: Theme; label: string }[] = [
  { theme: "system", label: "System" },
  { theme: "light", label: "Light" },
  { theme: "dark", label: "Dark" },
]

/** A button per theme; works before any script has loaded. */
export function ThemeForm({ theme }: { theme: Theme }) {
  return (
    <form action={setTheme} className="flex flex-wrap gap-2">
      {CHOICES.map((choice) => (
        <Button
          key={choice.theme}
          type="submit"
          name="theme"
          value={choice.theme}
          variant="secondary"
          aria-pressed={choice.theme === theme}
        >
          {choice.label}
        </Button>
      ))}
    </form>
  )
}
