"use server"
import { inviteOperator, removeOperator } from "@/lib/server/auth/operators"
import { operatorAction } from "@/lib/server/auth/user-action"
import { InviteOperator, OneOperator } from "@/lib/shared/operator/operators"

export const inviteOperatorAction = operatorAction(InviteOperator, inviteOperator)

export const removeOperatorAction = operatorAction(OneOperator, removeOperator)
