import { cache } from "react"
import { findKey } from "@/lib/server/keys/read-keys"

/** The key of the page, read once for its layout and itself. */
export const findKeyOnce = cache(findKey)
