import type { Page } from "@playwright/test"

export interface Control {
  /** Equal for controls that do the same, such as the links to each key of a list. */
  kind: string
  /** The accessible name, or what it shows. */
  name: string
}

/** Whether a press on controls of this kind may show others in the same place: a part that opens, or a tab. */
export const mayReveal = (kind: string): boolean => /^(summary|button\.tab)\./.test(kind)

export interface Point {
  x: number
  y: number
}

interface Shown {
  controls: Control[]
  /** Whether the controls are those of a dialog or menu. */
  areOnTop: boolean
  at: Point | null
}

/** A part of each page: what it shows itself, or what is around that on every page. */
export type Part = "main" | "frame"

/** Runs in the page. Returns the visible links and buttons of the open dialog or menu, otherwise of a part of the page. */
function findControls([kind, part]: [kind: string | null, part: Part]): Shown {
  const roots = [
    ...document.querySelectorAll<HTMLElement>("dialog[open], [role=dialog], [role=alertdialog], [role=menu]"),
  ]
  const main = document.querySelector("main")
  const top = roots.filter((one) => one.checkVisibility()).at(-1)
  const root = top ?? (part === "main" ? main : null) ?? document.body
  const all = [...root.querySelectorAll<HTMLElement>("a[href], button, summary, [role=menuitem], [role=tab]")]
  const opensElsewhere = (element: HTMLElement) =>
    element instanceof HTMLAnchorElement && (element.target === "_blank" || !/^https?:$/.test(element.protocol))
  const usable = all.filter(
    (element) =>
      element.checkVisibility({ visibilityProperty: true }) &&
      !element.matches(
        ":disabled, [aria-disabled=true], [aria-checked=true], [aria-pressed=true], [aria-selected=true]",
      ) &&
      !opensElsewhere(element) &&
      !(part === "frame" && main?.contains(element)) &&
      // Only the keyboard reaches the link that skips the menu.
      !element.matches(".sr-only"),
  )
  const nameOf = (element: HTMLElement) =>
    (element.getAttribute("aria-label") ?? element.innerText).replaceAll(/\s+/g, " ").trim().slice(0, 60)
  const placeOf = (element: HTMLElement) =>
    element.closest("section[aria-labelledby], section[id]")?.id ?? root.localName
  const kindOf = (element: HTMLElement) => {
    const own = `${element.localName}.${element.role ?? ""}.${element.className}`
    const row = element.closest("tr, li, dl, p")
    if (!row || !root.contains(row)) return `${own} ${nameOf(element).replaceAll(/\d+/g, "#")}`
    const siblings = [...row.querySelectorAll("a[href], button, summary")]
    return `${own} in ${row.localName}.${row.className} at ${siblings.indexOf(element)} of ${placeOf(element)}`
  }
  const controls = usable.map((element) => ({ kind: kindOf(element), name: nameOf(element), element }))
  const wanted = controls.find((one) => one.kind === kind)?.element
  wanted?.scrollIntoView({ block: "center", behavior: "instant" })
  const box = wanted?.getClientRects()[0]
  const middle = box ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : null
  const isFree = middle && wanted?.contains(document.elementFromPoint(middle.x, middle.y))
  const at = isFree ? middle : null
  return { controls: controls.map(({ kind, name }) => ({ kind, name })), areOnTop: top !== undefined, at }
}

/** Returns one control of each kind. */
export async function controlsOf(page: Page, part: Part): Promise<Omit<Shown, "at">> {
  const { controls, areOnTop } = await page.evaluate(findControls, [null, part] as [null, Part])
  const byKind = new Map(controls.toReversed().map((control) => [control.kind, control]))
  return { controls: [...byKind.values()].toReversed(), areOnTop }
}

/** Scrolls to the first control of a kind. Returns where to press it; null if the page shows none, or something covers it. */
export const findControl = async (page: Page, kind: string, part: Part): Promise<Point | null> =>
  (await page.evaluate(findControls, [kind, part] as [string, Part])).at
