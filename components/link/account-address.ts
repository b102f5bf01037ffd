import { createContext, use } from "react"

/** Returns the address of an account's page for the account that is shown. */
type AddressOf = (href: string) => string

/** Outside of an account's area, every address is that of the user's own account. */
export const AccountAddress = createContext<AddressOf>((href) => href)

/** Returns a function that returns the address of an account's page for the account that is shown. */
export const useAccountAddress = (): AddressOf => use(AccountAddress)
