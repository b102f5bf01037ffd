/** Does work that a press can do without, once the browser has painted its answer to it. */
export function afterPaint(work: () => unknown): void {
  requestAnimationFrame(() => setTimeout(work))
}
