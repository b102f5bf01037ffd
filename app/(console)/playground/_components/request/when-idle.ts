/** Waits until the browser is idle and nobody is in the middle of composing a character. Answers how to wait no more. */
export function whenIdle(area: HTMLTextAreaElement, open: () => void): () => void {
  let composing = false
  let due = false
  const start = () => {
    composing = true
  }
  const end = () => {
    composing = false
    if (due) open()
  }
  area.addEventListener("compositionstart", start)
  area.addEventListener("compositionend", end)
  const timer = setTimeout(() => {
    due = true
    if (!composing) open()
  }, 0)
  return () => {
    clearTimeout(timer)
    area.removeEventListener("compositionstart", start)
    area.removeEventListener("compositionend", end)
  }
}
