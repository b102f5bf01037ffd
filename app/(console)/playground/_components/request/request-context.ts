"use client"
import { createContext, useContext } from "react"
import type { ShapeLimits } from "@/questions/limits"
import type { Settled } from "./settled"
import type { Views } from "./use-views"

/** What every part of the request side shares. */
export interface RequestSide {
  settled: Settled
  views: Views
  /** Of the chosen model. */
  limits: ShapeLimits
  /** Offers to take the last step back, such as a question that was removed. */
  offerUndo: (step: UndoStep) => void
  undoStep: UndoStep | null
  closeUndo: () => void
  /** Says something to those who listen to the page. */
  announce: (text: string) => void
}

export interface UndoStep {
  /** What was done: "Removed wants_refund". */
  done: string
  undo: () => void
}

export const RequestContext = createContext<RequestSide | null>(null)

export function useRequestSide(): RequestSide {
  const side = useContext(RequestContext)
  if (!side) throw new Error("there is no request side around this")
  return side
}
