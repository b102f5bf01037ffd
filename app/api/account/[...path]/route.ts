import { ACCOUNT_API } from "@/lib/server/management/account-api"
import { answerManagement } from "@/lib/server/management/answer"
import { runtime } from "@/lib/server/platform/runtime"

const answer = (request: Request): Promise<Response> => answerManagement(runtime(), ACCOUNT_API, request)

export const GET = answer
export const HEAD = answer
export const POST = answer
export const PUT = answer
export const PATCH = answer
export const DELETE = answer
