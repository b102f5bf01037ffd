"use server"
import { saveAlerts } from "@/lib/server/accounts/alerts"
import { userAction } from "@/lib/server/auth/user-action"
import { resendDelivery, testEndpoint } from "@/lib/server/webhooks/deliveries"
import { addSlackAddress, createEndpoint, deleteEndpoint, rotateSecret } from "@/lib/server/webhooks/endpoints"
import { SaveAlertsInput } from "@/lib/shared/accounts/alerts"
import { CreateEndpointInput, DeliveryInput, EndpointInput } from "@/lib/shared/webhooks/schema"

export const createEndpointAction = userAction(CreateEndpointInput, createEndpoint)
export const addSlackAddressAction = userAction(CreateEndpointInput, addSlackAddress)
export const saveAlertsAction = userAction(SaveAlertsInput, saveAlerts)
export const deleteEndpointAction = userAction(EndpointInput, deleteEndpoint)
export const rotateSecretAction = userAction(EndpointInput, rotateSecret)
export const testEndpointAction = userAction(EndpointInput, testEndpoint)
export const resendDeliveryAction = userAction(DeliveryInput, resendDelivery)
