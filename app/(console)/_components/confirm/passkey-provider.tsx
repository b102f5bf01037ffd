"use client"
import { createContext, type ReactNode, useContext } from "react"

const HasPasskey = createContext(false)

/** Returns whether the user can confirm with a passkey. */
export const useHasPasskey = (): boolean => useContext(HasPasskey)

export function PasskeyProvider({ hasPasskey, children }: { hasPasskey: boolean; children: ReactNode }) {
  return <HasPasskey value={hasPasskey}>{children}</HasPasskey>
}
