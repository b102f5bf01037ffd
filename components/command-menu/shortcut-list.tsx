import { type ReactNode, useState } from "react"
import { readStored, writeStored } from "@/lib/shared/browser-storage"
import { Checkbox } from "../ui/checkbox"
import { Kbd } from "../ui/kbd"
import { QUESTION_MARK } from "./commands"

interface Shortcut {
  keys: string[]
  does: string
}

const shortcuts = (mod: string): { where: string; list: Shortcut[] }[] => [
  {
    where: "Everywhere",
    list: [
      { keys: [mod, "K"], does: "Search, open a page or start an action" },
      { keys: ["?"], does: "Show this list" },
      { keys: ["Esc"], does: "Close a menu or dialog" },
    ],
  },
  {
    where: "Playground",
    list: [
      { keys: [mod, "Enter"], does: "Run the request" },
      { keys: [mod, "F"], does: "Search in the editor" },
      { keys: ["Tab"], does: "Leave the editor" },
    ],
  },
]

interface ShortcutListProps {
  isApple: boolean
  close: ReactNode
}

export function ShortcutList({ isApple, close }: ShortcutListProps) {
  const [isOn, setIsOn] = useState(() => readStored(QUESTION_MARK) !== false)
  const change = (next: boolean) => {
    setIsOn(next)
    writeStored(QUESTION_MARK, next)
  }
  return (
    <div className="flex flex-col gap-5 overflow-y-auto p-5">
      <div className="flex items-center justify-between gap-3">
        <h2 className="font-semibold text-lg">Keyboard shortcuts</h2>
        {close}
      </div>
      {shortcuts(isApple ? "⌘" : "Ctrl").map(({ where, list }) => (
        <section key={where} aria-label={where}>
          <h3 className="pb-1 font-medium text-ink-muted text-sm">{where}</h3>
          <dl>
            {list.map(({ keys, does }) => (
              <div key={does} className="flex items-center justify-between gap-4 border-line border-t py-2">
                <dt>{does}</dt>
                <dd className="flex shrink-0 gap-1">
                  {keys.map((key) => (
                    <Kbd key={key}>{key}</Kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <Checkbox label="Open this list with ?" checked={isOn} onChange={(event) => change(event.target.checked)} />
    </div>
  )
}
