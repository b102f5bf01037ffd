"use client"
import { useSyncExternalStore } from "react"

const never = () => () => undefined

/** Returns whether React takes over the server's HTML. False in a component that appears later, as after a click on a link. */
export const useIsHydrating = (): boolean =>
  useSyncExternalStore(
    never,
    () => false,
    () => true,
  )
