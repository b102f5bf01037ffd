"use client"
import { TextLink } from "@/components/ui/text-link"
import { useAccount } from "../model/playground-store"

/** Says how to get a model, while the service has none. */
export function MissingModel() {
  const { modelWay } = useAccount()
  if (!modelWay) return null
  const { command, isOperator } = modelWay
  return (
    <p className="pb-3 text-sm">
      Keyword rules answer now, not a model.{" "}
      {command ? (
        <>
          For a decision model, stop the service and run <code className="wrap-anywhere font-mono">{command}</code>.{" "}
        </>
      ) : null}
      {isOperator ? (
        <>
          You can connect your own engine on the operator’s page <TextLink href="/operator/models">Models</TextLink>.
        </>
      ) : command ? null : (
        "The operator of this service can connect one."
      )}
    </p>
  )
}
