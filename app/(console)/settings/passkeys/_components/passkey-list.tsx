"use client"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { EmptyState } from "@/components/ui/empty-state"
import { BackLink, PageHeader } from "@/components/ui/page-header"
import { RowMenu } from "@/components/ui/row-menu"
import { type Column, Table } from "@/components/ui/table"
import { Time } from "@/components/ui/time"
import type { PasskeySummary } from "@/lib/shared/auth/passkeys"
import { preloadFormDialog, useFormDialog } from "../../../_components/form-dialog"
import { addForm, removeForm, renameForm } from "./passkey-forms"

const COLUMNS: readonly Column<PasskeySummary>[] = [
  {
    head: "Name",
    phone: "title",
    className: "font-medium",
    cell: ({ name }) => <span className="wrap-anywhere">{name}</span>,
  },
  { head: "Added", phone: "line", phoneLabel: true, cell: ({ createdAt }) => <Time at={createdAt} as="date" /> },
  {
    head: "Last used",
    phone: "end",
    phoneLabel: true,
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : "never"),
  },
]

interface PasskeyListProps {
  passkeys: PasskeySummary[]
  /** Whether browsers can use passkeys at the address of the console. */
  isUsable: boolean
}

/** Renders the page of the user's passkeys: adds, renames and removes them. */
export function PasskeyList({ passkeys, isUsable }: PasskeyListProps) {
  const { show, dialog } = useFormDialog()
  const actions = (passkey: PasskeySummary) => (
    <RowMenu
      label={`Actions for ${passkey.name}`}
      actions={[
        { label: "Rename", onSelect: (opener) => show(renameForm(passkey), opener) },
        { label: "Remove", isDanger: true, onSelect: (opener) => show(removeForm(passkey), opener) },
      ]}
    />
  )
  return (
    <>
      <PageHeader
        back={<BackLink href="/settings">Settings</BackLink>}
        title="Passkeys"
        action={
          isUsable ? (
            <Button {...preloadFormDialog} onClick={() => show(addForm())}>
              Add passkey
            </Button>
          ) : null
        }
      >
        Sensitive changes need a recent sign-in or a confirmation. A passkey confirms with your fingerprint, your face,
        a PIN or a security key, without a mail.
      </PageHeader>
      <div className="flex flex-col gap-4">
        {isUsable ? null : (
          <Alert tone="warn" title="Passkeys cannot be used here">
            They need a console with HTTPS and a domain name. Ask the operator of this service.
          </Alert>
        )}
        <Table
          caption="Passkeys"
          columns={COLUMNS}
          rows={passkeys}
          rowKey={({ id }) => id}
          actions={actions}
          empty={
            <EmptyState title="No passkeys">Without a passkey, you confirm with a link that we mail to you.</EmptyState>
          }
        />
      </div>
      {dialog}
    </>
  )
}
