import { cache } from "react"
import { findKey } from "@/lib/keys/find-key"

/** The key of the page, read once for its layout and itself. */
export const findKeyOnce = cache(findKey)
