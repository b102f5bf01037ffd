"use client"
import { useId } from "react"
import { SaveForm } from "@/components/form/save-form"
import { Checkbox } from "@/components/ui/checkbox"
import type { Alert, Alerts, SaveAlertsInput } from "@/lib/shared/accounts/alerts"
import type { WebhookEndpoint } from "@/lib/shared/webhooks/schema"
import { saveAlertsAction } from "../actions"

/** Returns the list with the item, or without it. */
const put = <Item,>(list: readonly Item[], item: Item, isIn: boolean): Item[] => {
  const others = list.filter((other) => other !== item)
  return isIn ? [...others, item] : others
}

/** Returns a short name, such as “Slack …x7Kd” or “hooks.example.com/in”. */
const nameOf = ({ kind, url }: Pick<WebhookEndpoint, "kind" | "url">): string =>
  kind === "slack" ? `Slack ${url.slice(url.lastIndexOf("/") + 1)}` : url.replace("https://", "").replace(/\/$/, "")

interface AlertRowProps {
  alert: Alert
  endpoints: Alerts["endpoints"]
  value: SaveAlertsInput
  onChange: (value: SaveAlertsInput) => void
}

/** Renders where one alert goes. */
function AlertRow({ alert: { label, mail, event }, endpoints, value, onChange }: AlertRowProps) {
  const heading = useId()
  const toggle = (id: string, isIn: boolean) =>
    onChange({
      ...value,
      endpoints: value.endpoints.map((one) =>
        one.id === id && event ? { ...one, events: put(one.events, event, isIn) } : one,
      ),
    })
  return (
    // biome-ignore lint/a11y/useSemanticElements: a legend cannot be a cell of the grid.
    <div
      role="group"
      aria-labelledby={heading}
      className="grid gap-x-6 gap-y-1 border-line border-t py-2.5 md:grid-cols-[minmax(0,19rem)_minmax(0,1fr)]"
    >
      <p id={heading} className="font-medium">
        {label}
      </p>
      <div className="flex flex-wrap gap-x-6 gap-y-2 pointer-coarse:gap-y-0">
        {mail ? (
          <Checkbox
            label="E-mail to me"
            checked={!value.muted.includes(mail)}
            onChange={({ target }) => onChange({ ...value, muted: put(value.muted, mail, !target.checked) })}
          />
        ) : null}
        {endpoints.map((endpoint) =>
          event ? (
            <Checkbox
              key={endpoint.id}
              label={<span className="wrap-anywhere line-clamp-2">{nameOf(endpoint)}</span>}
              checked={value.endpoints.find(({ id }) => id === endpoint.id)?.events.includes(event) ?? false}
              onChange={({ target }) => toggle(endpoint.id, target.checked)}
            />
          ) : null,
        )}
      </div>
    </div>
  )
}

/** Lets a member choose by which ways each alert arrives. */
export function AlertChoice({ alerts, muted, endpoints }: Alerts) {
  return (
    <SaveForm
      // New endpoints start with the events that were chosen for them.
      key={endpoints.map(({ id }) => id).join()}
      schema={async () => (await import("@/lib/shared/accounts/alerts")).SaveAlertsInput}
      defaultValues={{ muted, endpoints: endpoints.map(({ id, events }) => ({ id, events })) }}
      action={saveAlertsAction}
      label="Save alerts"
      fields={({ watch, setValue }) => {
        const value = watch()
        return (
          <div>
            {alerts.map((alert) => (
              <AlertRow
                key={alert.mail ?? alert.event}
                alert={alert}
                endpoints={endpoints}
                value={value}
                onChange={({ muted, endpoints }) => {
                  setValue("muted", muted)
                  setValue("endpoints", endpoints)
                }}
              />
            ))}
            <p className="border-line border-t pt-2.5 text-ink-muted text-sm">
              Mails about the safety of the account cannot be turned off.
            </p>
          </div>
        )
      }}
    />
  )
}
