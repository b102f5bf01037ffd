import { formatPrice, formatUsd } from "@/lib/shared/format"
import type { KeyChoice, ModelChoice } from "@/lib/shared/runs/model-choice"
import { Field } from "./ui/field"
import { Select } from "./ui/select"

interface ChoiceProps {
  value: string
  disabled?: boolean
  /** Puts the label before the control, in one line. */
  isInline?: boolean
  className?: string
  onChange: (value: string) => void
}

interface ModelFieldProps extends ChoiceProps {
  models: ModelChoice[]
  error?: string | undefined
}

/** Renders the choice of the model, with the model that an alias stands for. */
export function ModelField({ models, value, error, disabled, isInline, className, onChange }: ModelFieldProps) {
  return (
    <Field label="Model" error={error} isInline={isInline ?? false} className={className ?? ""}>
      <Select
        className="min-w-0 flex-1"
        name="model"
        value={value}
        disabled={disabled}
        onChange={({ target }) => onChange(target.value)}
      >
        {models.map(({ id, pinnedId }) => (
          <option key={id} value={id}>
            {id === pinnedId ? id : `${id} → ${pinnedId}`}
          </option>
        ))}
      </Select>
    </Field>
  )
}

/** Renders the choice of the key that pays. The empty value is the account's Playground key. */
export function KeyField({
  keys,
  value,
  disabled,
  isInline,
  className,
  onChange,
}: ChoiceProps & { keys: KeyChoice[] }) {
  return (
    <Field label="Charge to" isInline={isInline ?? false} className={className ?? ""}>
      <Select
        className="min-w-0 flex-1"
        name="keyId"
        value={value}
        disabled={disabled}
        onChange={({ target }) => onChange(target.value)}
      >
        <option value="">Playground</option>
        {keys.map(({ id, name, masked }) => (
          <option key={id} value={id}>
            {name} ({masked})
          </option>
        ))}
      </Select>
    </Field>
  )
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
