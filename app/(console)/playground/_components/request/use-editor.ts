"use client"
import { type RefObject, useEffect, useRef, useState } from "react"
import type { Fault } from "@/lib/playground/find-fault"
import type { EditorHandle, EditorSetting } from "./editor"
import type { Settled } from "./settled"
import { useLatest } from "./use-latest"

/** How long typing must pause before the text is taken over. */
const HOLD_MS = 250

interface EditorInput {
  area: RefObject<HTMLTextAreaElement | null>
  host: RefObject<HTMLDivElement | null>
  value: string
  setting: EditorSetting
  fault: Fault | null
  settled: Settled
  onText: (text: string) => void
  onLeave: () => void
}

/** Waits until the browser is idle and nobody is in the middle of composing a character. */
function whenIdle(area: HTMLTextAreaElement, open: () => void): () => void {
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

/**
 * Puts an editor in the place of a text area once its code is there: text, selection and focus go over, nothing typed is
 * lost. Without that code the text area stays.
 */
export function useEditor({ area, host, value, setting, fault, settled, onText, onLeave }: EditorInput) {
  const [isOpen, setOpen] = useState(false)
  const editor = useRef<EditorHandle | null>(null)
  /** The text that the form and the editor agree on. */
  const agreed = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  const collect = useLatest(() => {
    if (timer.current === undefined) return
    clearTimeout(timer.current)
    timer.current = undefined
    const text = editor.current?.text() ?? agreed.current
    if (text === agreed.current) return
    agreed.current = text
    onText(text)
  })
  const onInput = useLatest(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(collect, HOLD_MS)
    settled.touch()
  })
  const leave = useLatest(onLeave)
  const open = useLatest((openEditor: typeof import("./codemirror").openEditor) => {
    const [from, parent] = [area.current, host.current]
    if (!from || !parent || editor.current) return
    const hadFocus = document.activeElement === from
    const scroll = from.scrollTop
    agreed.current = value
    const { selectionStart: anchor, selectionEnd: head } = from
    const nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? ""
    const selection = { anchor, head }
    editor.current = openEditor({ parent, text: value, selection, nonce, setting, onInput, onLeave: leave })
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
      if (!isGone && area.current) stop = whenIdle(area.current, () => open(openEditor))
    }
    // Without the code, such as offline, the text area stays and works.
    load().catch(() => {})
    const removeWriter = settled.addWriter(collect)
    return () => {
      isGone = true
      stop()
      collect()
      removeWriter()
      editor.current?.close()
      editor.current = null
    }
  }, [area, settled, open, collect])

  useEffect(() => {
    if (value === agreed.current) return
    agreed.current = value
    clearTimeout(timer.current)
    timer.current = undefined
    editor.current?.replace(value)
  }, [value])
  const described = JSON.stringify(setting)
  useEffect(() => editor.current?.set(JSON.parse(described) as EditorSetting), [described])
  useEffect(() => editor.current?.mark(fault), [fault])
  return { isOpen, editor }
}
