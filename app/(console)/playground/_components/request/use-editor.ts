"use client"
import { type RefObject, useEffect, useRef, useState } from "react"
import type { Fault } from "@/lib/shared/playground/find-fault"
import type { EditorHandle, EditorSetting } from "./editor"
import type { Settled } from "./settled"
import { useHeldText } from "./use-held-text"
import { useLatest } from "./use-latest"
import { whenIdle } from "./when-idle"

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

/**
 * Puts an editor in the place of a text area once its code is there: text, selection and focus go over, nothing typed is
 * lost. Without that code the text area stays.
 */
export function useEditor({ area, host, value, setting, fault, settled, onText, onLeave }: EditorInput) {
  const [isOpen, setOpen] = useState(false)
  const editor = useRef<EditorHandle | null>(null)
  const { onInput, agree } = useHeldText({ value, settled, read: () => editor.current?.text(), onText })
  const leave = useLatest(onLeave)
  const open = useLatest((openEditor: typeof import("./codemirror").openEditor) => {
    const [from, parent] = [area.current, host.current]
    if (!from || !parent || editor.current) return
    const hadFocus = document.activeElement === from
    const scroll = from.scrollTop
    agree(value)
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
    return () => {
      isGone = true
      stop()
      editor.current?.close()
      editor.current = null
    }
  }, [area, open])

  useEffect(() => {
    if (agree(value)) editor.current?.replace(value)
  }, [value, agree])
  const described = JSON.stringify(setting)
  useEffect(() => editor.current?.set(JSON.parse(described) as EditorSetting), [described])
  useEffect(() => editor.current?.mark(fault), [fault])
  return { isOpen, editor }
}
