import { formatPrice, formatUsd } from "@/lib/shared/format"
import type { KeyChoice, ModelChoice } from "@/lib/shared/runs/model-choice"
import { SelectField } from "./ui/select"

interface ChoiceProps {
  value: string
  error?: string | undefined
  disabled?: boolean
  /** Puts the label before the control, in one line. */
  isInline?: boolean
  className?: string
  onChoose: (value: string) => void
}

/** Renders the choice of the model, with the model that an alias stands for. */
export function ModelField({ models, ...choice }: ChoiceProps & { models: ModelChoice[] }) {
  const options = models.map(({ id, pinnedId }) => ({
    value: id,
    label: id === pinnedId ? id : `${id} → ${pinnedId}`,
  }))
  return <SelectField {...choice} label="Model" name="model" options={options} />
}

/** Renders the choice of the key that pays. The empty value is the account's Playground key. */
export function KeyField({ keys, ...choice }: ChoiceProps & { keys: KeyChoice[] }) {
  const options = keys.map(({ id, name, masked }) => ({ value: id, label: `${name} (${masked})` }))
  return <SelectField {...choice} label="Charge to" name="keyId" none="Playground" options={options} />
}

export const limitText = (key: KeyChoice | undefined): string =>
  key?.limitUsd
    ? `${formatUsd(key.spentUsd)} of ${formatUsd(key.limitUsd)} ${key.period ?? ""} limit spent`
    : "No spend limit"

export function priceText(model: ModelChoice | undefined): string {
  const text = formatPrice(model?.pricePerMillionUsd ?? null)
  const price = text.startsWith("$") ? `${text} per 1M tokens` : text
  return model?.isAvailable === false ? `${price}, currently unavailable` : price
}
