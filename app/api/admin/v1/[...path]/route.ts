import { ADMIN_API } from "@/lib/server/management/admin-api"
import { answerManagement } from "@/lib/server/management/answer"
import { runtime } from "@/lib/server/platform/runtime"

const answer = (request: Request): Promise<Response> => answerManagement(runtime(), ADMIN_API, request)

export const GET = answer
export const HEAD = answer
export const POST = answer
export const PUT = answer
export const PATCH = answer
export const DELETE = answer
