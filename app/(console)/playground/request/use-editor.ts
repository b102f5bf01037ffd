"use client"
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react"
import type { Fault } from "@/lib/shared/request-form/find-fault"
import type { EditorHandle, EditorSetting } from "./codemirror"

/** The editor reports its text after this pause in typing, so that single keys do not render the form. */
const HOLD_MS = 250

interface EditorInput {
  area: RefObject<HTMLTextAreaElement | null>
  host: RefObject<HTMLDivElement | null>
  value: string
  setting: EditorSetting
  fault: Fault | null
  /** Called for each key, after the key is drawn. */
  onTyping: () => void
  /** Called when typing pauses, when the focus leaves the editor, and when the page closes. */
  onText: (text: string) => void
  onLeave: () => void
}

/**
 * Replaces a text area by a code editor once its code is loaded. Text, selection and focus carry over. If the code cannot be
 * loaded, the text area stays.
 */
export function useEditor({ area, host, value, setting, fault, onTyping, onText, onLeave }: EditorInput) {
  const [isOpen, setOpen] = useState(false)
  const editor = useRef<EditorHandle | null>(null)
  /** The last text that both the editor and its owner have. */
  const shared = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  const handOver = useEffectEvent(() => {
    clearTimeout(timer.current)
    if (timer.current === undefined || !editor.current) return
    timer.current = undefined
    const text = editor.current.text()
    if (text === shared.current) return
    shared.current = text
    onText(text)
  })
  const onInput = useEffectEvent(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(handOver, HOLD_MS)
    // Draws the key first, then its effects on the rest of the page.
    requestAnimationFrame(() => setTimeout(reportTyping))
  })
  const reportTyping = useEffectEvent(() => onTyping())
  const leave = useEffectEvent(() => {
    handOver()
    onLeave()
  })

  const open = useEffectEvent((openEditor: typeof import("./codemirror").openEditor) => {
    const [from, parent] = [area.current, host.current]
    if (!from || !parent || editor.current) return
    const hadFocus = document.activeElement === from
    const scroll = from.scrollTop
    shared.current = value
    const { selectionStart: anchor, selectionEnd: head } = from
    const nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? ""
    const selection = { anchor, head }
    editor.current = openEditor({
      parent,
      text: value,
      selection,
      nonce,
      setting,
      onInput: () => onInput(),
      onLeave: () => leave(),
      handOver: () => handOver(),
    })
    editor.current.mark(fault)
    parent.hidden = false
    from.hidden = true
    parent.scrollTop = scroll
    if (hadFocus) editor.current.focus()
    setOpen(true)
  })

  useEffect(() => {
    let stop = () => {}
    let isGone = false
    const load = async () => {
      const { openEditor } = await import("./codemirror")
      if (!isGone && area.current) stop = whenComposed(area.current, () => open(openEditor))
    }
    load().catch(() => {})
    const onPageHide = () => handOver()
    window.addEventListener("pagehide", onPageHide)
    return () => {
      isGone = true
      stop()
      handOver()
      window.removeEventListener("pagehide", onPageHide)
      editor.current?.close()
      editor.current = null
    }
  }, [area])

  useEffect(() => {
    if (value === shared.current) return
    shared.current = value
    clearTimeout(timer.current)
    timer.current = undefined
    editor.current?.replace(value)
  }, [value])
  const settingJson = JSON.stringify(setting)
  useEffect(() => editor.current?.set(JSON.parse(settingJson) as EditorSetting), [settingJson])
  useEffect(() => editor.current?.mark(fault), [fault])
  return { isOpen, editor }
}

/** Calls `open` after the current task, but not while the user composes a character. Returns how to cancel. */
function whenComposed(area: HTMLTextAreaElement, open: () => void): () => void {
  let isComposing = false
  let isDue = false
  const listening = new AbortController()
  const { signal } = listening
  const start = () => {
    isComposing = true
  }
  area.addEventListener("compositionstart", start, { signal })
  area.addEventListener(
    "compositionend",
    () => {
      isComposing = false
      if (isDue) open()
    },
    { signal },
  )
  const timer = setTimeout(() => {
    isDue = true
    if (!isComposing) open()
  }, 0)
  return () => {
    clearTimeout(timer)
    listening.abort()
  }
}
