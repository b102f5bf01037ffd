"use client"
import { createContext, type ReactNode, useContext, useMemo } from "react"
import { type RunCost, runCost } from "@/lib/shared/playground/cost"
import { useRequestSide } from "./request-context"
import { useTokenCount } from "./use-token-count"

export interface KnownCost {
  /** Null as long as it is not known, such as while the request is not complete. */
  cost: RunCost | null
  /** A newer count is under way. */
  isCounting: boolean
}

const CostContext = createContext<KnownCost>({ cost: null, isCounting: false })

/** What the request would cost, wherever it is shown. */
export const useRunCost = (): KnownCost => useContext(CostContext)

interface CostProviderProps {
  /** Exact USD text. */
  balanceUsd: string
  ready: boolean
  children: ReactNode
}

/** Counts the request whenever it settles. */
export function CostProvider({ balanceUsd, ready, children }: CostProviderProps) {
  const { settled, views } = useRequestSide()
  const { counted, isCounting } = useTokenCount({ settled, requestText: views.requestText, ready, balanceUsd })
  const known = useMemo(
    () => ({ cost: counted ? runCost(counted.count, counted.names, balanceUsd) : null, isCounting }),
    [counted, isCounting, balanceUsd],
  )
  return <CostContext value={known}>{children}</CostContext>
}
