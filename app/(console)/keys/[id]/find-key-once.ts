import { cache } from "react"
import { findKey } from "@/lib/server/keys/find-key"

/** The key of the page, read once for its layout and itself. */
export const findKeyOnce = cache(findKey)
