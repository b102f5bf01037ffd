import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"

interface EmailFormProps {
  email: string
  next: string
  error?: string
  label: string
}

/** Requests a sign-in link. A plain form, so that it works without JavaScript. */
export function EmailForm({ email, next, error, label }: EmailFormProps) {
  return (
    <form method="post" action="/api/auth/signin/email" noValidate className="flex flex-col gap-4">
      <Field label="E-mail address" error={error} required>
        <Input
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={320}
          defaultValue={email}
        />
      </Field>
      <input type="hidden" name="next" value={next} />
      <Button type="submit">{label}</Button>
    </form>
  )
}
