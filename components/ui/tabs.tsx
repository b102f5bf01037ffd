"use client"
import clsx from "clsx"
import {
  createContext,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from "react"
import { afterPress } from "../timing/after-paint"

interface Tab {
  value: string
  label: ReactNode
}

interface TabsProps {
  /** Describes the tabs for assistive technology. */
  label: string
  tabs: readonly Tab[]
  value: string
  onValueChange: (value: string) => void
  className?: string
  children: ReactNode
}

/** A tab that was pressed while another view is still shown. */
interface Pressed {
  from: string
  to: string
}

const Shown = createContext({ id: "", value: "" })

/** Moves the focus with the arrow keys, Home and End. Enter and Space select the focused tab. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")]
  const at = tabs.indexOf(document.activeElement as HTMLElement)
  const steps: Record<string, number> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }
  const to = steps[event.key]
  if (to === undefined) return
  event.preventDefault()
  tabs.at(to % tabs.length)?.focus()
}

/** Shows one of several views, chosen by tabs. The tabs of Base UI would add 17 kB (gzip) to the playground. */
export function Tabs({ label, tabs, value, onValueChange, className, children }: TabsProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [pressed, setPressed] = useState<Pressed | null>(null)
  if (pressed && pressed.from !== value) setPressed(null)
  const selected = pressed?.to ?? value
  // The pressed tab is painted before its view is rendered.
  const choose = (event: MouseEvent, to: string) => {
    setPressed({ from: value, to })
    afterPress(event, () => onValueChange(to))
  }
  // On a phone, the tabs may be wider than the screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: shows the selected tab again when another one is selected
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>("[aria-selected=true]")
    if (list.current && tab && list.current.scrollWidth > list.current.clientWidth)
      list.current.scrollLeft = tab.offsetLeft - list.current.offsetLeft
  }, [value])
  return (
    <div className={className}>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        className="flex gap-1 border-line border-b max-sm:overflow-x-auto max-sm:overflow-y-hidden max-sm:[scrollbar-width:none]"
        onKeyDown={moveFocus}
      >
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-tab-${tab.value}`}
            aria-selected={tab.value === selected}
            aria-controls={tab.value === value ? `${id}-panel` : undefined}
            tabIndex={tab.value === selected ? 0 : -1}
            onClick={(event) => choose(event, tab.value)}
            className={clsx(
              "-mb-px inline-flex h-9 shrink-0 items-center border-b-2 px-3 font-medium outline-offset-[-2px] max-sm:mb-0 pointer-coarse:min-h-11",
              tab.value === selected ? "border-accent text-ink" : "border-transparent text-ink-muted hover:text-ink",
            )}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <Shown value={{ id, value }}>{children}</Shown>
    </div>
  )
}

interface TabPanelProps {
  value: string
  className?: string
  children: ReactNode
}

export function TabPanel({ value, className, children }: TabPanelProps) {
  const shown = useContext(Shown)
  if (value !== shown.value) return null
  return (
    <div
      role="tabpanel"
      id={`${shown.id}-panel`}
      aria-labelledby={`${shown.id}-tab-${value}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel that starts with text must be reachable by keyboard
      tabIndex={0}
      className={clsx("outline-offset-4", className)}
    >
      {children}
    </div>
  )
}
