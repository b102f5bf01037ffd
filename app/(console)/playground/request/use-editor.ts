"use client"
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react"
import { afterPaint } from "@/components/timing/after-paint"
import type { Fault } from "@/lib/shared/request-form/find-fault"
import type { EditorHandle, EditorSetting } from "./codemirror"

/** The editor reports its text after this pause in typing, so that single keystrokes do not render the form. */
const HOLD_MS = 250

interface EditorInput {
  area: RefObject<HTMLTextAreaElement | null>
  host: RefObject<HTMLDivElement | null>
  value: string
  setting: EditorSetting
  faults: readonly Fault[]
  /** Called for each keystroke, after it is drawn. */
  onTyping: () => void
  /** Called with a changed text when typing pauses, the focus leaves, a shortcut needs it, or the editor or page closes. */
  onText: (text: string) => void
  onLeave: () => void
}

type OpenEditor = typeof import("./codemirror").openEditor

/**
 * Replaces a text area by a code editor once its code is loaded. Text, selection and focus carry over. If the code cannot be
 * loaded, the text area stays.
 */
export function useEditor({ area, host, value, setting, faults, onTyping, onText, onLeave }: EditorInput) {
  const [isOpen, setOpen] = useState(false)
  const [isMissing, setMissing] = useState(false)
  const editor = useRef<EditorHandle | null>(null)
  const held = useRef(new HeldText(value))

  const handOver = useEffectEvent(() => {
    const text = held.current.takeChanged(editor.current)
    if (text !== null) onText(text)
  })
  const reportTyping = useEffectEvent(() => onTyping())
  const onInput = useEffectEvent(() => {
    held.current.hold(handOver)
    // Draws the typed character first, then its effects on the rest of the page.
    afterPaint(reportTyping)
  })
  const leave = useEffectEvent(() => {
    handOver()
    onLeave()
  })
  const open = useEffectEvent((openEditor: OpenEditor) => {
    if (!area.current || !host.current || editor.current) return
    held.current.agreeOn(value)
    const reports = { onInput: () => onInput(), onLeave: () => leave(), handOver: () => handOver() }
    editor.current = replaceArea(area.current, host.current, openEditor, { text: value, setting, ...reports })
    editor.current.mark(faults)
    setOpen(true)
  })

  useEffect(() => {
    const stop = loadEditor(area, open, () => setMissing(true))
    const onPageHide = () => handOver()
    window.addEventListener("pagehide", onPageHide)
    return () => {
      stop()
      handOver()
      window.removeEventListener("pagehide", onPageHide)
      editor.current?.close()
      editor.current = null
    }
  }, [area])
  useEffect(() => {
    if (held.current.agreeOn(value)) editor.current?.replace(value)
  }, [value])
  const settingJson = JSON.stringify(setting)
  useEffect(() => editor.current?.set(JSON.parse(settingJson) as EditorSetting), [settingJson])
  useEffect(() => editor.current?.mark(faults), [faults])
  return { isOpen, isMissing, editor }
}

/** Keeps the editor's text from its owner until typing pauses. */
class HeldText {
  #timer: ReturnType<typeof setTimeout> | undefined
  /** The last text that both the editor and its owner have. */
  #shared: string

  constructor(text: string) {
    this.#shared = text
  }

  /** Calls `handOver` after the pause. */
  hold(handOver: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(handOver, HOLD_MS)
  }

  /** Ends the pause. Returns a text that the owner does not have yet, or null. */
  takeChanged(editor: EditorHandle | null): string | null {
    clearTimeout(this.#timer)
    if (this.#timer === undefined || !editor) return null
    this.#timer = undefined
    const text = editor.text()
    if (text === this.#shared) return null
    this.#shared = text
    return text
  }

  /** Drops a held text if the owner has a new one. Returns whether it has. */
  agreeOn(text: string): boolean {
    if (text === this.#shared) return false
    this.#shared = text
    clearTimeout(this.#timer)
    this.#timer = undefined
    return true
  }
}

/** Opens an editor in place of a text area, with its selection, scroll position and focus. */
function replaceArea(
  area: HTMLTextAreaElement,
  host: HTMLDivElement,
  openEditor: OpenEditor,
  options: Omit<Parameters<OpenEditor>[0], "parent" | "selection" | "nonce">,
): EditorHandle {
  const hadFocus = document.activeElement === area
  const { scrollTop, selectionStart: anchor, selectionEnd: head } = area
  const nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? ""
  // A hidden editor could not measure its width.
  host.hidden = false
  const editor = openEditor({ ...options, parent: host, selection: { anchor, head }, nonce })
  area.hidden = true
  host.scrollTop = scrollTop
  if (hadFocus) editor.focus()
  return editor
}

/**
 * Loads the editor's code, then calls `open` once no character is being composed. Calls `miss` if the code cannot be loaded. Returns
 * how to cancel.
 */
function loadEditor(
  area: RefObject<HTMLTextAreaElement | null>,
  open: (openEditor: OpenEditor) => void,
  miss: () => void,
): () => void {
  let stop = () => {}
  let isGone = false
  const load = async () => {
    const { openEditor } = await import("./codemirror")
    if (!isGone && area.current) stop = whenComposed(area.current, () => open(openEditor))
  }
  load().catch(() => isGone || miss())
  return () => {
    isGone = true
    stop()
  }
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
