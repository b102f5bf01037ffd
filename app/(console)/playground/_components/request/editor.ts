import type { Fault } from "@/lib/shared/playground/find-fault"

/** What may change while an editor is open. */
export interface EditorSetting {
  isJson: boolean
  /** Of the element that is typed into: its label, what describes it, whether it is invalid. */
  attributes: Record<string, string>
}

export interface EditorOptions {
  parent: HTMLElement
  text: string
  selection: { anchor: number; head: number }
  nonce: string
  setting: EditorSetting
  /** At every change: the text is only asked for when typing pauses. */
  onInput: () => void
  onLeave: () => void
}

export interface EditorHandle {
  text(): string
  /** Another text, as one step that can be undone. */
  replace(text: string): void
  set(setting: EditorSetting): void
  mark(fault: Fault | null): void
  select(from: number, to: number): void
  focus(): void
  close(): void
}
