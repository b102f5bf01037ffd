"use server"
import { userAction } from "@/lib/server/auth/user-action"
import { resendDelivery, testEndpoint } from "@/lib/server/webhooks/deliveries"
import { createEndpoint, deleteEndpoint, rotateSecret } from "@/lib/server/webhooks/endpoints"
import { CreateEndpointInput, DeliveryInput, EndpointInput } from "@/lib/shared/webhooks/schema"

export const createEndpointAction = userAction(CreateEndpointInput, createEndpoint)
export const deleteEndpointAction = userAction(EndpointInput, deleteEndpoint)
export const rotateSecretAction = userAction(EndpointInput, rotateSecret)
export const testEndpointAction = userAction(EndpointInput, testEndpoint)
export const resendDeliveryAction = userAction(DeliveryInput, resendDelivery)
