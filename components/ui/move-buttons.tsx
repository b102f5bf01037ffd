"use client"
import { ArrowDown, ArrowUp } from "lucide-react"
import { flushSync } from "react-dom"
import { afterPress } from "../timing/after-paint"
import { IconButton } from "./icon-button"

interface MoveButtonsProps {
  /** Path of the list, such as `questions.0.levels`. */
  list: string
  /** The item's index in the list. */
  at: number
  isLast: boolean
  /** What is moved, such as "level 2". */
  name: string
  onMove: (to: number) => void
}

const idOf = (list: string, at: number, by: -1 | 1): string => `${list}.${at}.${by < 0 ? "up" : "down"}`

/** Focuses the pressed arrow at the new place of its item. At an end of the list it is disabled, and the other arrow gets the focus. */
function focusArrow(list: string, at: number, by: -1 | 1): void {
  const pressed = document.getElementById(idOf(list, at, by))
  const other = document.getElementById(idOf(list, at, by < 0 ? 1 : -1))
  const target = pressed?.matches(":disabled") ? other : pressed
  target?.focus()
}

/** Renders two arrows that move an item of a list by one place, and follows it with the focus. */
export function MoveButtons({ list, at, isLast, name, onMove }: MoveButtonsProps) {
  const move = (by: -1 | 1) => {
    flushSync(() => onMove(at + by))
    focusArrow(list, at + by, by)
  }
  return (
    <>
      <IconButton
        id={idOf(list, at, -1)}
        icon={ArrowUp}
        label={`Move ${name} up`}
        disabled={at === 0}
        onClick={(event) => afterPress(event, () => move(-1))}
      />
      <IconButton
        id={idOf(list, at, 1)}
        icon={ArrowDown}
        label={`Move ${name} down`}
        disabled={isLast}
        onClick={(event) => afterPress(event, () => move(1))}
      />
    </>
  )
}
