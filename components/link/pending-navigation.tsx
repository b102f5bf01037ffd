"use client"
import { useEffect, useState } from "react"
import { onNavigationStart } from "@/lib/shared/navigation-start"
import { mark, markPressed, notePresses } from "./pressed"
import { usePendingNavigation } from "./use-pending-navigation"

/** A file that is downloaded replaces no page, and nothing reports its end. */
const DOCUMENT_MS = 5_000

/** Returns the link whose page the browser itself will load, or null. Next prevents the default of links that it follows. */
function linkToDocument(event: MouseEvent): HTMLAnchorElement | null {
  const { target, defaultPrevented, button, metaKey, ctrlKey, shiftKey, altKey } = event
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null
  if (!link || defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return null
  const isHere = link.href.split("#", 1)[0] === window.location.href.split("#", 1)[0]
  return !/^https?:$/.test(link.protocol) || link.target === "_blank" || (isHere && link.hash !== "") ? null : link
}

/** Returns whether the browser loads another document or a file, by a link or a form that no code handles. Marks what was pressed. */
function useLoadsDocument(): boolean {
  const [isLoading, setLoading] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = () => {
      clearTimeout(timer)
      mark(null)
      setLoading(false)
    }
    const begin = (element: Element | null) => {
      end()
      mark(element)
      setLoading(true)
      timer = setTimeout(end, DOCUMENT_MS)
    }
    const onClick = (event: MouseEvent) => {
      const link = linkToDocument(event)
      if (link) begin(link)
    }
    const onSubmit = ({ defaultPrevented, submitter }: SubmitEvent) => {
      if (!defaultPrevented) begin(submitter)
    }
    // On the window, these run after the handlers of React and Next, which may prevent the default.
    window.addEventListener("click", onClick)
    window.addEventListener("submit", onSubmit)
    window.addEventListener("pageshow", end)
    return () => {
      clearTimeout(timer)
      window.removeEventListener("click", onClick)
      window.removeEventListener("submit", onSubmit)
      window.removeEventListener("pageshow", end)
    }
  }, [])
  return isLoading
}

/** Marks what was pressed while its page loads, and shows a bar from 0.3 s on. */
export function PendingNavigation() {
  const to = usePendingNavigation()
  const loadsDocument = useLoadsDocument()
  useEffect(() => {
    const ends = [notePresses(), onNavigationStart(markPressed)]
    return () => {
      for (const end of ends) end()
    }
  }, [])
  useEffect(() => {
    if (to === null && !loadsDocument) mark(null)
  }, [to, loadsDocument])
  if (to === null && !loadsDocument) return null
  return (
    <div
      role="progressbar"
      aria-label="Loading the page"
      className="pointer-events-none fixed inset-x-0 top-0 z-60 h-0.5 animate-late overflow-hidden print:hidden"
    >
      <div className="h-full w-1/3 animate-run bg-accent motion-reduce:w-full" />
    </div>
  )
}
