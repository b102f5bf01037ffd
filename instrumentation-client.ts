import { nameShownAccount } from "@/lib/shared/accounts/shown-account"
import { announceNavigation } from "@/lib/shared/navigation-start"
import { noteRequestIds } from "@/lib/shared/request-ids"
import { forbidEval } from "@/lib/shared/zod-without-eval"

// Next runs this file before the page's own code.
forbidEval()
nameShownAccount()
noteRequestIds()

export { announceNavigation as onRouterTransitionStart }
