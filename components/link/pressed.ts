const PRESSABLE = "a[href], button, select, input, summary, [role=menuitem], [role=option]"
/** What begins within this time after a press belongs to it. */
const BELONGS_MS = 1_000

let pressed: { element: Element; atMs: number } | null = null
let marked: Element | null = null

function notePress({ target }: Event): void {
  const element = target instanceof Element ? target.closest(PRESSABLE) : null
  pressed = element && { element, atMs: performance.now() }
}

/** Notes from now on what is pressed. Returns a function that ends this. */
export function notePresses(): () => void {
  for (const type of ["click", "change"]) window.addEventListener(type, notePress, true)
  return () => {
    for (const type of ["click", "change"]) window.removeEventListener(type, notePress, true)
  }
}

/** Marks an element as the one whose result is loading, in place of the one before. Null ends the mark. */
export function mark(element: Element | null | undefined): void {
  marked?.removeAttribute("data-pending")
  marked = element ?? null
  marked?.setAttribute("data-pending", "")
}

/** Returns what was pressed within the last second; null for nothing. */
export const justPressed = (): Element | null =>
  pressed !== null && performance.now() - pressed.atMs < BELONGS_MS ? pressed.element : null

/** Marks what was just pressed. Without a press, as after Enter in a search field, the element with the focus is marked. */
export const markPressed = (): void => mark(justPressed() ?? document.activeElement?.closest(PRESSABLE))
