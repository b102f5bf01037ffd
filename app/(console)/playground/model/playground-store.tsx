"use client"
import { createContext, type ReactNode, useContext, useMemo, useState } from "react"
import { createStore, useStore } from "zustand"
import { useIsHydrating } from "@/components/timing/use-is-hydrating"
import { limitsOf, type RunAccount } from "@/lib/shared/runs/model-choice"
import { type RunCost, runCost } from "@/lib/shared/runs/run-cost"
import type { ShapeLimits } from "@/questions/limits"
import { initialPlayground, type PlaygroundAction, type PlaygroundState, reducePlayground } from "./playground-state"
import { restoreStored } from "./restore-stored"

/**
 * A store instead of `useReducer`: a component renders only when the part it selects changes. Event handlers can read a state
 * that the same event has just changed.
 */
function createPlaygroundStore(model: string) {
  const store = createStore<PlaygroundState>(() => initialPlayground(model))
  const dispatch = (action: PlaygroundAction) => store.setState((state) => reducePlayground(state, action), true)
  return { store, dispatch, getState: store.getState }
}

type PlaygroundStore = ReturnType<typeof createPlaygroundStore>

const StoreContext = createContext<PlaygroundStore | null>(null)
const AccountContext = createContext<RunAccount | null>(null)

export function PlaygroundProvider({ account, children }: { account: RunAccount; children: ReactNode }) {
  const isHydrating = useIsHydrating()
  const [store] = useState(() => {
    const created = createPlaygroundStore(account.models[0]?.id ?? "")
    // The HTML of the server cannot contain the draft. `PlaygroundEffects` restores it then, which renders every field again.
    if (!isHydrating) restoreStored(account, created.dispatch)
    return created
  })
  return (
    <AccountContext value={account}>
      <StoreContext value={store}>{children}</StoreContext>
    </AccountContext>
  )
}

function required<Value>(value: Value | null): Value {
  if (value === null) throw new Error("This component must be inside PlaygroundProvider.")
  return value
}

export const useAccount = (): RunAccount => required(useContext(AccountContext))

export const usePlaygroundStore = (): PlaygroundStore => required(useContext(StoreContext))

export const useDispatch = () => usePlaygroundStore().dispatch

/** Renders the component when the selected part changes. The selector must not create objects. */
export const usePlayground = <Part,>(select: (state: PlaygroundState) => Part): Part =>
  useStore(usePlaygroundStore().store, select)

export function useLimits(): ShapeLimits {
  const { models } = useAccount()
  return limitsOf(
    models,
    usePlayground(({ request }) => request.form.model),
  )
}

/**
 * Returns what a run would cost, or null while that is unknown. It may be of the request before the last change: see
 * `useIsCounting`. The two are separate, so that the first keystroke after a pause renders no amounts.
 */
export function useRunCost(): RunCost | null {
  const { balanceUsd } = useAccount()
  const counted = usePlayground(({ tokens }) => tokens.counted)
  return useMemo(() => counted && runCost(counted.count, counted.names, balanceUsd), [counted, balanceUsd])
}

export const useIsCounting = (): boolean => usePlayground(({ tokens }) => tokens.isCounting)
