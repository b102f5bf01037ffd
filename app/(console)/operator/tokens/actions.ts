"use server"
import { createOperatorToken, revokeOperatorToken } from "@/lib/server/accounts/operator-tokens"
import { operatorAction } from "@/lib/server/auth/user-action"
import { CreateOperatorTokenInput, OneOperatorToken } from "@/lib/shared/operator/tokens"

export const createOperatorTokenAction = operatorAction(CreateOperatorTokenInput, createOperatorToken)

export const revokeOperatorTokenAction = operatorAction(OneOperatorToken, revokeOperatorToken)
