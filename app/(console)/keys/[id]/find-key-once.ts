import { cache } from "react"
import { findKey } from "@/lib/server/keys/read-keys"

/** Finds a key once per request, for both the layout and the page. */
export const findKeyOnce = cache(findKey)
