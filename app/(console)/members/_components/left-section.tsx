"use client"
import { Button } from "@/components/ui/button"
import { Section } from "@/components/ui/section"
import type { Creation } from "@/lib/shared/accounts/members"
import { ROLES } from "@/lib/shared/accounts/roles"
import { CreationList } from "../../_components/creation-list"
import { preloadFormDialog, useFormDialog } from "../../_components/form-dialog"
import { endLeftForm } from "./member-forms"

/** Lists what people created who left or have another role by now, with a button for each person that ends all of it. */
export function LeftSection({ creations }: { creations: Creation[] }) {
  const { show, dialog } = useFormDialog()
  const ids = [...new Set(creations.map(({ createdBy }) => createdBy.id))]
  const people = ids.map((id) => creations.filter(({ createdBy }) => createdBy.id === id))
  return (
    <>
      {people.length > 0 ? (
        <Section
          id="left"
          title="Keys, tokens and webhooks of former members and owners"
          hint="These still work. The people who created them, or replaced a secret, left the account or have fewer rights now, and may know the secrets. Replace what you need, then end the rest."
        >
          {people.map((left) => (
            <Person key={left[0]?.createdBy.id} left={left} onEnd={() => show(endLeftForm(left))} />
          ))}
        </Section>
      ) : null}
      {dialog}
    </>
  )
}

function Person({ left, onEnd }: { left: Creation[]; onEnd: () => void }) {
  const { email, role } = left[0]?.createdBy ?? { email: "", role: null }
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h3 className="break-all font-medium">
          {email}{" "}
          <span className="font-normal text-ink-muted text-sm">
            {role === null ? "Not a member any more" : `Now ${ROLES[role].noun}`}
          </span>
        </h3>
        <Button variant="secondary" size="sm" aria-label={`End all of ${email}`} {...preloadFormDialog} onClick={onEnd}>
          End all
        </Button>
      </div>
      <CreationList creations={left} />
    </div>
  )
}
