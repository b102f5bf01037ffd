import { useEffect, useEffectEvent } from "react"

/**
 * Cancels Back and Forward between pages of the console, and calls `onBack` instead. Does nothing where the browser does not allow it: a
 * second Back without a click or a key in between leaves. Returns a function that ends this.
 */
export function holdBack(navigation: Navigation | undefined, onBack: () => void): () => void {
  const onNavigate = (event: NavigateEvent) => {
    if (event.navigationType !== "traverse" || !event.cancelable) return
    event.preventDefault()
    onBack()
  }
  navigation?.addEventListener("navigate", onNavigate)
  return () => navigation?.removeEventListener("navigate", onNavigate)
}

/** Makes the browser ask for confirmation before it leaves the page. Used while a secret is visible and not yet copied. */
export function useLeaveGuard(isOn: boolean, onBack: () => void): void {
  const confirmBack = useEffectEvent(onBack)
  useEffect(() => {
    if (!isOn) return
    const onLeave = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener("beforeunload", onLeave)
    // Next changes pages without unloading them. Older browsers lack `navigation`.
    const release = holdBack(window.navigation, () => confirmBack())
    return () => {
      window.removeEventListener("beforeunload", onLeave)
      release()
    }
  }, [isOn])
}
