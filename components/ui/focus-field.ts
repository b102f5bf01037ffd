/** Moves the focus to a field by its path: the name of a control, `data-field` around a code editor, or the id of a list. */
export function focusFieldNow(field: string): void {
  const named = [...document.getElementsByName(field)].find((element) => !element.hidden)
  const editor = document.querySelector<HTMLElement>(`[data-field="${CSS.escape(field)}"] .cm-content`)
  const element = named ?? editor ?? document.getElementById(field)
  element?.focus()
  element?.scrollIntoView({ block: "nearest" })
}

/** Acts after the next frame, when a hidden pane or a new message is in the page. */
export function afterFrame(act: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(act))
}

/** Like `focusFieldNow`, but after the next frame. */
export const focusField = (field: string): void => afterFrame(() => focusFieldNow(field))
