import type { BrowserContext } from "@playwright/test"

/** What first showed that a press arrived, and how long after it. */
export interface Mark {
  by: string
  ms: number
}

declare global {
  interface Window {
    reportMark?: (mark: Mark) => void
  }
}

/**
 * Has every page report the first sign of each press itself. While a form's document is held, Chromium evaluates nothing that a
 * test asks for.
 */
export async function reportMarks(context: BrowserContext, onMark: (mark: Mark) => void): Promise<void> {
  await context.exposeBinding("reportMark", (_source, mark: Mark) => onMark(mark))
  await context.addInitScript(watchPresses)
}

/** Runs in the page. A sign is a change of the document, or a focus or position that moves. Clocks run by themselves and are none. */
function watchPresses(): void {
  let pressedAtMs: number | null = null
  const show = (by: string) => {
    if (pressedAtMs === null) return
    const from = pressedAtMs
    pressedAtMs = null
    requestAnimationFrame(() => window.reportMark?.({ by, ms: performance.now() - from }))
  }
  const isShown = (node: Node) => !(node instanceof Element && node.matches("script, link, style"))
  /** Scripts that load change the head, and clocks run by themselves. */
  const isSign = ({ target, type, attributeName, addedNodes, removedNodes }: MutationRecord) => {
    // React writes them again whenever it renders an input.
    if (attributeName === "name" || attributeName === "type") return false
    const element = target instanceof Element ? target : target.parentElement
    if (!element?.closest("body") || element.closest("time, [role=timer]")) return element === document.documentElement
    return type !== "childList" || [...addedNodes, ...removedNodes].some(isShown)
  }
  const observer = new MutationObserver((records) => {
    const record = records.find(isSign)
    if (record) show(record.attributeName ?? record.type)
  })
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  const onPress = ({ timeStamp }: Event) => {
    observer.takeRecords()
    pressedAtMs = timeStamp
  }
  window.addEventListener("pointerdown", onPress, true)
  // The browser itself shows what is wrong with an invalid field.
  for (const type of ["scroll", "hashchange", "invalid"]) window.addEventListener(type, () => show(type), true)
  window.print = () => show("print")
}
