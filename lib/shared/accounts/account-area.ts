import { PAGE_LIST } from "@/lib/shared/pages"

const SHOWN = PAGE_LIST.flatMap(({ shows }) => (shows ? [shows.replace("[id]", "[0-9a-z_]+")] : []))
const SHOWN_ADDRESS = new RegExp(`^(?:${SHOWN.join("|")})(?=[?#]|$)`)

/** Returns the address of an account's page below `base`, if operators can open it there. Any other address is returned unchanged. */
export const addressIn = (base: string, href: string): string => (SHOWN_ADDRESS.test(href) ? `${base}${href}` : href)
