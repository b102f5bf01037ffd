import { config } from "zod/v4/core"
import { nameShownAccount } from "@/lib/shared/accounts/shown-account"
import { announceNavigation } from "@/lib/shared/navigation-start"
import { noteRequestIds } from "@/lib/shared/request-ids"

// Next runs this file before the page's own code. By default zod probes `new Function`, which the page's policy forbids.
config({ jitless: true })
nameShownAccount()
noteRequestIds()

export { announceNavigation as onRouterTransitionStart }
