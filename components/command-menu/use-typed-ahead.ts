import { useEffect, useEffectEvent, useRef } from "react"

/** What the user types between opening the menu and its appearance. */
export interface TypedAhead {
  /** Keeps what is typed from now on. The page behind gets none of it. */
  keep: () => void
  /** Returns what was typed, and leaves the keys to the page again. */
  take: () => string
}

/** Returns true for shortcuts and function keys such as F5, which the browser handles. */
const isForBrowser = ({ key, metaKey, ctrlKey, altKey }: KeyboardEvent): boolean =>
  metaKey || ctrlKey || altKey || /^F\d/.test(key)

/** Returns the text after a key. Only characters and Backspace change it. */
function typeKey(text: string, key: string): string {
  if (key === "Backspace") return text.slice(0, -1)
  return [...key].length === 1 ? text + key : text
}

/**
 * Keeps the keys that are pressed while the menu's code loads. The focus is still in the page, where letters would change a field
 * and Enter would press a button. Escape calls `onCancel`.
 */
export function useTypedAhead(onCancel: () => void): TypedAhead {
  const typed = useRef<string | null>(null)
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (typed.current === null || isForBrowser(event)) return
    event.preventDefault()
    event.stopPropagation()
    if (event.key !== "Escape") typed.current = typeKey(typed.current, event.key)
    else {
      typed.current = null
      onCancel()
    }
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    window.addEventListener("keydown", listener, true)
    return () => window.removeEventListener("keydown", listener, true)
  }, [])
  return {
    keep: () => {
      typed.current ??= ""
    },
    take: () => {
      const text = typed.current ?? ""
      typed.current = null
      return text
    },
  }
}
